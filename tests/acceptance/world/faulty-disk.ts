import { execFile } from 'node:child_process'
import { truncate, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { vi } from 'vitest'

/** What only root may do to a disk, as the machines that run these tests let everybody do. */
const run = promisify(execFile)

/** Makes the folder a mount of its own, which `setReadOnly` needs. */
export async function mountItself(directory: string): Promise<void> {
  await run('mount', ['--bind', directory, directory])
}

export async function setReadOnly(directory: string, isReadOnly: boolean): Promise<void> {
  const options = `remount,bind,${isReadOnly ? 'ro' : 'rw'}`
  // Refused while a file below is open for writing.
  await vi.waitFor(() => run('mount', ['-o', options, directory]), 10_000)
}

/** Puts a small file system of its own at the folder. */
export async function mountMemory(directory: string, megabytes: number): Promise<void> {
  const options = `size=${megabytes}m,mode=0700`
  await run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory])
}

export async function unmount(directory: string): Promise<void> {
  await run('umount', ['--lazy', directory])
}

export interface FailingDisk {
  /** Puts the disk in place of the file, and takes it away again. */
  replace(path: string): Promise<() => Promise<void>>
  remove(): Promise<void>
}

/** A disk that holds `content`, of which all from `badFrom` on cannot be read: the kernel says EIO. */
export async function makeFailingDisk(
  backingFile: string,
  content: Buffer,
  badFrom: number,
): Promise<FailingDisk> {
  await writeFile(backingFile, content)
  const { stdout } = await run('losetup', ['--find', '--show', backingFile])
  const device = stdout.trim()
  // The device keeps its size, and finds nothing behind these blocks.
  await truncate(backingFile, badFrom)
  return {
    replace: async (path) => {
      await run('mount', ['--bind', device, path])
      return () => unmount(path)
    },
    remove: async () => void (await run('losetup', ['--detach', device])),
  }
}
