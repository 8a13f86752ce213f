import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { deriveUuid } from '../derive-uuid.ts'
import { isArgon2id } from '../passwords.ts'
import { readFileContent } from '../read-file.ts'
import { bareShare, type SourceShare } from '../source.ts'
import type { Tables } from '../sqlite/tables.ts'
import { amount, flag, type Row, text, textOrNull } from '../sqlite/values.ts'
import { isPlain } from './is-plain.ts'

interface ReadSharesOptions {
  tables: Tables
  filesPath: string
  atOnce: number
  losses: string[]
}

/** Each file is a share there. */
export async function* readShares(options: ReadSharesOptions): AsyncIterable<SourceShare[]> {
  const { tables, atOnce, losses } = options
  for (let last = 0; ;) {
    const rows = tables.all('FileMetaData', 'where rowid > ? order by rowid limit ?', [
      last,
      atOnce,
    ])
    if (rows.length === 0) return
    last = Number(rows.at(-1)?.rowid)
    const page: SourceShare[] = []
    for (const row of rows) {
      const obstacle = findObstacle(row)
      if (obstacle === null) page.push(await readShare(row, options))
      else losses.push(`share ${text(row, 'Id')} is left out: ${obstacle}`)
    }
    yield page
  }
}

/** Why a share stays behind: none becomes more open than it was, and none is unreadable. */
function findObstacle(row: Row): string | null {
  const passwordHash = textOrNull(row, 'PasswordHash') || null
  if (passwordHash !== null && !isArgon2id(passwordHash)) {
    return 'its password has a SHA-1 hash, which is not verified here'
  }
  if (!(row.Encryption instanceof Uint8Array) || !isPlain(row.Encryption)) {
    return 'its file is encrypted'
  }
  if (textOrNull(row, 'AwsBucket')) return 'its file is in S3'
  if (textOrNull(row, 'UploadRequestId')) return 'it came through a file request'
  if ((amount(row, 'PendingDeletion') ?? 0) > 0) return 'it is being deleted'
  if (!flag(row, 'UnlimitedDownloads') && !amount(row, 'DownloadsRemaining')) {
    return 'it has no downloads left'
  }
  return null
}

const sha1 = /^[0-9a-f]{40}$/

async function readShare(row: Row, { filesPath, losses }: ReadSharesOptions): Promise<SourceShare> {
  const [id, digest] = [text(row, 'Id'), text(row, 'SHA1')]
  const path = join(filesPath, digest)
  const content = sha1.test(digest) ? await readFileContent(path) : null
  // Old versions wrote none down.
  const uploadedAt = amount(row, 'UploadDate') || null
  const createdAt =
    uploadedAt === null && content !== null ? (await stat(path)).mtime : inSeconds(uploadedAt)
  const views = amount(row, 'DownloadCount') ?? 0
  const left = flag(row, 'UnlimitedDownloads') ? null : (amount(row, 'DownloadsRemaining') ?? 0)
  if (left !== null) {
    losses.push(`share ${id}: its ${left} downloads are as many visits of its page here`)
  }
  return {
    ...bareShare,
    id,
    createdAt,
    name: null,
    expiresAt: flag(row, 'UnlimitedTime') ? null : inSeconds(amount(row, 'ExpireAt')),
    views,
    maxViews: left === null ? null : views + left,
    passwordHash: textOrNull(row, 'PasswordHash') || null,
    files: [
      {
        // Their addresses have none but that of the share.
        id: deriveUuid('gokapi', 'file', id),
        createdAt,
        name: text(row, 'Name'),
        // Rows of old versions have none.
        sizeBytes: amount(row, 'SizeBytes') || (content?.sizeBytes ?? 0),
        content,
      },
    ],
  }
}

function inSeconds(seconds: number | null): Date {
  return new Date((seconds ?? 0) * 1000)
}
