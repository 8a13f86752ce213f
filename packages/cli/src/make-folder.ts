import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * With the folders above it. What Node.js has for it tries for ever where a folder says that it is
 * there, and that nothing can be in it, as `/proc` does.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  try {
    await makeOne(path, mode)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolder(dirname(path), mode)
    await makeOne(path, mode)
  }
}

async function makeOne(path: string, mode?: number): Promise<void> {
  try {
    await mkdir(path, { mode })
  } catch (error) {
    // What is no folder is told by who writes into it.
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
