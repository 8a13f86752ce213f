// Where tests keep their databases and files: in memory where there is enough of it.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const memory = '/dev/shm'
/** Several times what a run keeps at once. */
const ENOUGH_BYTES = 4 * 1024 ** 3

/** Makes the temporary folder of every program below; it is gone when this process ends. */
export function keepTemporaryFilesInMemory() {
  if (process.env.TMPDIR || freeBytes(memory) < ENOUGH_BYTES) return
  const folder = mkdtempSync(join(memory, 'floe-tests-'))
  // Some programs run as another user, and come through it to folders of their own.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
}

function freeBytes(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch (error) {
    if (error.code === 'ENOENT') return 0
    throw error
  }
}
