import fs from 'node:fs'
import { copyFile, lstat, rm } from 'node:fs/promises'
import { AppError } from '@floe/errors'
import {
  closeFile,
  hasErrorCode,
  openFile,
  readFile,
  statFile,
  syncFileData,
  truncateFile,
  writeFully,
  type WriteVector,
} from './file-system.ts'

const { COPYFILE_EXCL, COPYFILE_FICLONE_FORCE } = fs.constants
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = fs.constants
const bufferBytes = 1024 * 1024

export interface CopyPart {
  file: string
  sizeBytes: number
}

export interface CopyOptions {
  target: string
  mode: number
  parts: readonly CopyPart[]
  writeVector: WriteVector
}

/**
 * Writes the parts one after another into `target` and syncs it. Memory stays at one buffer, and
 * no single call holds a thread for longer than one buffer takes; where the file system can share
 * blocks, the first part costs nothing. What a former attempt left in `target` goes first, so that
 * a link there is replaced and not followed.
 */
export async function copyObjects({
  target,
  mode,
  parts,
  writeVector,
}: CopyOptions): Promise<void> {
  await rm(target, { force: true })
  const first = parts[0]
  const clonedParts = first !== undefined && (await cloneFile(first.file, target)) ? 1 : 0
  const isNew = clonedParts === 0 ? O_CREAT | O_EXCL : 0
  const fd = await openFile(target, O_WRONLY | O_NOFOLLOW | isNew, mode)
  try {
    let position = 0
    for (const [index, part] of parts.entries()) {
      const append = index < clonedParts ? undefined : { fd, position, writeVector }
      await appendPart(part, append)
      position += part.sizeBytes
    }
    await truncateFile(fd, position)
    await syncFileData(fd)
  } finally {
    await closeFile(fd)
  }
}

async function cloneFile(source: string, target: string): Promise<boolean> {
  try {
    if (!(await lstat(source)).isFile()) return false
    await copyFile(source, target, COPYFILE_FICLONE_FORCE | COPYFILE_EXCL)
    return true
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOSPC', 'EDQUOT', 'EIO')) throw error
    return false
  }
}

async function appendPart(
  part: CopyPart,
  append: { fd: number; position: number; writeVector: WriteVector } | undefined,
) {
  const source = await openFile(part.file, O_RDONLY | O_NOFOLLOW)
  try {
    const { size } = await statFile(source)
    if (size !== part.sizeBytes) {
      throw new AppError('internal', {
        detail: `part holds ${size} bytes instead of ${part.sizeBytes}`,
      })
    }
    if (append !== undefined) await copyBytes(source, size, append)
  } finally {
    await closeFile(source)
  }
}

async function copyBytes(
  source: number,
  sizeBytes: number,
  { fd, position, writeVector }: { fd: number; position: number; writeVector: WriteVector },
) {
  const buffer = Buffer.allocUnsafeSlow(Math.min(bufferBytes, Math.max(1, sizeBytes)))
  let copied = 0
  while (copied < sizeBytes) {
    const count = await readFile(source, buffer, buffer.length, copied)
    if (count === 0) throw new AppError('internal', { detail: 'part ended early' })
    await writeFully(writeVector, fd, [buffer.subarray(0, count)], position + copied)
    copied += count
  }
}
