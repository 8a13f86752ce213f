import fs from 'node:fs'
import { promisify } from 'node:util'
import { AppError } from '@floe/errors'

/**
 * Descriptor calls without `FileHandle`: a handle object costs more than the call itself when a
 * share is ten thousand files of one kilobyte.
 */
export const openFile = promisify(fs.open)
export const closeFile = promisify(fs.close)
export const statFile = promisify(fs.fstat)
export const truncateFile = promisify(fs.ftruncate)
export const syncFileData = promisify(fs.fdatasync)
export const syncFile = promisify(fs.fsync)

export function readFile(
  fd: number,
  buffer: Uint8Array,
  lengthBytes: number,
  position: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.read(fd, buffer, 0, lengthBytes, position, (error, bytesRead) => {
      if (error === null) resolve(bytesRead)
      else reject(error)
    })
  })
}

/** One `pwritev`; may place fewer bytes than given. */
export type WriteVector = (
  fd: number,
  chunks: readonly Uint8Array[],
  position: number,
) => Promise<number>

export const writeVector: WriteVector = (fd, chunks, position) =>
  new Promise((resolve, reject) => {
    fs.writev(fd, chunks, position, (error, bytesWritten) => {
      if (error === null) resolve(bytesWritten)
      else reject(error)
    })
  })

/**
 * Writes every byte: a full disk, a signal or a limit may end a write early, and the rest must
 * follow at its own position. Returns the number of bytes written.
 */
export async function writeFully(
  write: WriteVector,
  fd: number,
  chunks: readonly Uint8Array[],
  position: number,
): Promise<number> {
  let rest = chunks
  let restBytes = totalLength(chunks)
  let writtenBytes = 0
  while (restBytes > 0) {
    const placed = await write(fd, rest, position + writtenBytes)
    if (placed <= 0) throw new AppError('internal', { detail: 'write placed no bytes' })
    writtenBytes += placed
    restBytes -= placed
    if (restBytes > 0) rest = dropBytes(rest, placed)
  }
  return writtenBytes
}

export function totalLength(chunks: readonly Uint8Array[]): number {
  let bytes = 0
  for (const chunk of chunks) bytes += chunk.byteLength
  return bytes
}

function dropBytes(chunks: readonly Uint8Array[], count: number): Uint8Array[] {
  let index = 0
  let skip = count
  for (const chunk of chunks) {
    if (skip < chunk.byteLength) break
    skip -= chunk.byteLength
    index += 1
  }
  const rest = chunks.slice(index)
  const first = rest[0]
  if (first !== undefined && skip > 0) rest[0] = first.subarray(skip)
  return rest
}

export function hasErrorCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** What the operating system reports, in the words of the port. */
export function convertFileError(error: unknown, operation: string): AppError {
  if (error instanceof AppError) return error
  const options = { cause: error, detail: `object store: ${operation}` }
  if (hasErrorCode(error, 'ENOSPC', 'EDQUOT')) return new AppError('storage_full', options)
  if (hasErrorCode(error, 'ENOENT')) return new AppError('file_not_found', options)
  return new AppError('internal', options)
}
