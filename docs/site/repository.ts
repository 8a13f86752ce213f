import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Paths are below the root of the repository, as are those of all functions here. */
export function readRepositoryFile(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

export function isRepositoryFile(path: string): boolean {
  const absolute = join(root, path)
  return existsSync(absolute) && statSync(absolute).isFile()
}
