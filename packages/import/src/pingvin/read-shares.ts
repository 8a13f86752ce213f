import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { eachAtOnce } from '@floe/storage'
import type { SourceContent, SourceFile, SourceReverseShare, SourceShare } from '../source.ts'
import type { Bucket } from './read-bucket.ts'
import { readFileContent } from '../read-file.ts'
import type { Tables } from '../sqlite/tables.ts'
import { amount, date, flag, groupBy, type Row, text, textOrNull } from '../sqlite/values.ts'

export function readReverseShares(tables: Tables, losses: string[]): SourceReverseShare[] {
  return tables.all('ReverseShare', 'order by rowid').flatMap((row) => {
    const token = text(row, 'token')
    const expiresAt = date(row, 'shareExpiration')
    if (expiresAt === null) {
      losses.push(`reverse share ${token}: its expiry cannot be read`)
      return []
    }
    return [
      {
        id: text(row, 'id'),
        createdAt: date(row, 'createdAt') ?? new Date(0),
        token,
        name: null,
        passwordHash: null,
        expiresAt,
        maxBytes: amount(row, 'maxShareSize') ?? 0,
        remainingUses: amount(row, 'remainingUses') ?? 0,
        sendsNotice: flag(row, 'sendEmailNotification'),
        asksSenderName: false,
        isSimplified: flag(row, 'simplified'),
        isPublic: flag(row, 'publicAccess', true),
        receiver: null,
        creatorId: text(row, 'creatorId'),
      },
    ]
  })
}

interface ReadSharesOptions {
  tables: Tables
  sharesPath: string
  bucket: Bucket | null
  atOnce: number
  losses: string[]
}

export function hasShare(tables: Tables, id: string): boolean {
  return tables.all('Share', 'where "id" = ?', [id]).length > 0
}

/** Pages by row number: the tables have no index by which to sort. */
export async function* readShares(options: ReadSharesOptions): AsyncIterable<SourceShare[]> {
  const { tables, atOnce } = options
  for (let last = 0; ;) {
    const rows = tables.all('Share', 'where rowid > ? order by rowid limit ?', [last, atOnce])
    if (rows.length === 0) break
    last = Number(rows.at(-1)?.rowid)
    yield await readPage(options, rows)
  }
  await tellStrayFolders(options)
}

/** Their server leaves some behind. */
async function tellStrayFolders({ tables, sharesPath, losses }: ReadSharesOptions): Promise<void> {
  const stray = (await listStored(sharesPath)).filter((name) => !hasShare(tables, name))
  if (stray.length === 0) return
  losses.push(
    `${sharesPath}: ${stray.length} of the folders belong to no share, and are left out, such as ${stray[0]}`,
  )
}

async function readPage(options: ReadSharesOptions, rows: readonly Row[]): Promise<SourceShare[]> {
  const { tables } = options
  const ids = rows.map((row) => text(row, 'id'))
  const among = `where "shareId" in (${ids.map(() => '?').join(', ')}) order by rowid`
  const files = groupBy(tables.all('File', among, ids), 'shareId')
  const recipients = groupBy(tables.all('ShareRecipient', among, ids), 'shareId')
  const accounts = groupBy(readAccountRecipients(tables, ids), 'shareId')
  const security = groupBy(tables.all('ShareSecurity', among, ids), 'shareId')
  return Promise.all(
    rows.map(async (row) => {
      const id = text(row, 'id')
      const addresses = [
        ...(recipients.get(id) ?? []).map((recipient) => text(recipient, 'email')),
        ...(accounts.get(id) ?? []).flatMap((account) => textOrNull(account, 'email') ?? []),
      ]
      return {
        ...toShare(row, security.get(id)?.[0] ?? {}),
        recipients: [...new Set(addresses)],
        files: await findFiles(options, row, files.get(id) ?? []),
      }
    }),
  )
}

/** The address of each account that a share is for. */
function readAccountRecipients(tables: Tables, shareIds: readonly string[]): Row[] {
  const marks = (values: readonly string[]) => values.map(() => '?').join(', ')
  const pairs = tables.all(
    'ShareUserRecipient',
    `where "shareId" in (${marks(shareIds)}) order by rowid`,
    [...shareIds],
  )
  const userIds = [...new Set(pairs.map((row) => text(row, 'userId')))]
  const users = tables.all('User', `where "id" in (${marks(userIds)})`, userIds)
  return pairs.map(({ shareId, userId }) => ({
    shareId: shareId ?? null,
    email: users.find(({ id }) => id === userId)?.email ?? null,
  }))
}

function toShare(row: Row, security: Row): Omit<SourceShare, 'recipients' | 'files'> {
  const expiresAt = date(row, 'expiration')
  return {
    id: text(row, 'id'),
    createdAt: date(row, 'createdAt') ?? new Date(0),
    name: textOrNull(row, 'name'),
    description: textOrNull(row, 'description'),
    // The epoch is their "never".
    expiresAt: expiresAt?.getTime() === 0 ? null : expiresAt,
    views: amount(row, 'views') ?? 0,
    maxViews: amount(security, 'maxViews') || null,
    restrictsToRecipients: flag(security, 'restrictToRecipients'),
    passwordHash: textOrNull(security, 'password'),
    removedReason: textOrNull(row, 'removedReason'),
    isCompleted: flag(row, 'uploadLocked'),
    creatorId: textOrNull(row, 'creatorId'),
    reverseShareId: textOrNull(row, 'reverseShareId'),
    receiverId: null,
    isPrivate: false,
    senderName: null,
    isEncrypted: false,
    sealedKey: null,
  }
}

const OBJECTS_AT_ONCE = 32

/** Ids become parts of a path; those of before 1.4 came from clients. */
const safeId = /^[A-Za-z0-9_-]{1,100}$/

async function findFiles(
  options: ReadSharesOptions,
  share: Row,
  rows: readonly Row[],
): Promise<SourceFile[]> {
  const contents =
    textOrNull(share, 'storageProvider') === 'S3'
      ? await findObjects(options, text(share, 'id'), rows)
      : await findOnDisk(options, text(share, 'id'), rows)
  return rows.map((row, index) => ({
    id: text(row, 'id'),
    createdAt: date(row, 'createdAt') ?? date(share, 'createdAt') ?? new Date(0),
    name: text(row, 'name'),
    sizeBytes: amount(row, 'size') ?? 0,
    content: contents[index] ?? null,
  }))
}

/** By name: files of one name overwrote each other there. */
async function findObjects(
  { bucket, losses }: ReadSharesOptions,
  shareId: string,
  rows: readonly Row[],
): Promise<(SourceContent | null)[]> {
  for (const [name, { length }] of groupBy(rows, 'name')) {
    if (length === 1) continue
    losses.push(
      `share ${shareId}: ${length} files called ${JSON.stringify(name)} are one in S3, and have its bytes`,
    )
  }
  const found: (SourceContent | null)[] = []
  await eachAtOnce([...rows.entries()], OBJECTS_AT_ONCE, async ([index, row]) => {
    found[index] = (await bucket?.find(shareId, text(row, 'name'))) ?? null
  })
  return found
}

async function findOnDisk(
  { sharesPath, losses }: ReadSharesOptions,
  shareId: string,
  rows: readonly Row[],
): Promise<(SourceContent | null)[]> {
  const folder = safeId.test(shareId) ? join(sharesPath, shareId) : null
  const stored = new Set(folder === null ? [] : await listStored(folder))
  const found = rows.map(async (row) => {
    const fileId = text(row, 'id')
    const isThere = folder !== null && safeId.test(fileId) && stored.delete(fileId)
    return isThere ? readFileContent(join(folder, fileId)) : null
  })
  for (const name of stored) {
    if (name === 'archive.zip') continue
    losses.push(
      name.endsWith('.tmp-chunk')
        ? `share ${shareId}: ${name} is the beginning of an upload, and is left out`
        : `share ${shareId}: ${name} belongs to no file, and is left out`,
    )
  }
  return Promise.all(found)
}

async function listStored(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}
