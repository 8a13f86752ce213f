import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * Once it resolves, all that was written to the file system of this folder before is durable:
 * syncfs(2), which Node does not offer, through `sync -f` of coreutils or busybox. An fsync for
 * each of many small files costs a disk that turns one turn for nearly every file.
 * Elsewhere (macOS, BSD) `sync` does it for all file systems.
 */
export async function syncFileSystem(folder: string): Promise<void> {
  const args = process.platform === 'linux' ? ['-f', folder] : []
  await promisify(execFile)('sync', args)
}
