import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Scratch {
  /** How the place is called in the report. */
  medium: 'tmpfs' | 'disk'
  /** A new folder, readable for the user PostgreSQL runs as. */
  folder: (name: string) => string
  file: (name: string) => string
  /** Gives the space of one folder back early. */
  discard: (folder: string) => void
  /** Gives all of it back. */
  empty: () => void
  remove: () => void
}

/** Memory where it is large enough, so that processor time and not the disk is the limit. */
export function createScratch(neededBytes: number): Scratch {
  const isRoomy = freeBytes('/dev/shm') >= neededBytes
  const root = mkdtempSync(join(isRoomy ? '/dev/shm' : tmpdir(), 'floe-bench-'))
  chmodSync(root, 0o755)
  let count = 0
  return {
    medium: isRoomy ? 'tmpfs' : 'disk',
    folder: (name) => {
      const path = join(root, `${name}-${++count}`)
      mkdirSync(path, { mode: 0o755 })
      return path
    },
    file: (name) => join(root, name),
    discard: (folder) => rmSync(folder, { recursive: true, force: true }),
    empty: () => {
      for (const name of readdirSync(root))
        rmSync(join(root, name), { recursive: true, force: true })
    },
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  }
}

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  } catch {
    return 0
  }
}
