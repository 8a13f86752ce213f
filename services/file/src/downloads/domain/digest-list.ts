import { createHash } from 'node:crypto'
import { archivePaths } from '@floe/archive'
import { AppError } from '@floe/errors'
import { checksumLine } from '../../archive/format/index.ts'
import type { StoredFile } from '../../files/domain/file-ports.ts'

/** What `SHA256SUMS` holds. */
export interface DigestList {
  content: Buffer
  /** The digest of the list itself, in hexadecimal. */
  sha256: string
  /** The latest time of any of its files. */
  lastModifiedAt: Date
}

const retryAfterSeconds = 5

/**
 * The digests of all these files, by the paths that Download all gives them: `files` is in the order
 * of the archive. Fails with `digests_not_ready` while one is missing or files still arrive, for a
 * list that lacks files would pass for one of a smaller share, and with `file_not_found` without any file.
 */
export function listDigests(
  files: readonly Pick<StoredFile, 'name' | 'sha256' | 'createdAt'>[],
  { isComplete }: { isComplete: boolean },
): DigestList {
  if (!isComplete) throw new AppError('digests_not_ready', { retryAfterSeconds })
  if (files.length === 0) throw new AppError('file_not_found')
  const paths = archivePaths(files.map(({ name }) => name))
  const lines = files.map(({ sha256 }, index) => {
    if (sha256 === null) throw new AppError('digests_not_ready', { retryAfterSeconds })
    return checksumLine(paths[index] ?? '', sha256.toString('hex'))
  })
  const content = Buffer.from(lines.join(''))
  return {
    content,
    sha256: createHash('sha256').update(content).digest('hex'),
    lastModifiedAt: files.reduce(
      (latest, { createdAt }) => (createdAt > latest ? createdAt : latest),
      new Date(0),
    ),
  }
}
