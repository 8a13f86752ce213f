import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './outputs.ts'

/** What the lock file says of a package. */
export interface LockedPackage {
  version?: string
  license?: string
  link?: boolean
  /** Where a link leads. */
  resolved?: string
  os?: string[]
  cpu?: string[]
  libc?: string[]
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

export interface ThirdParty extends LockedPackage {
  /** Below the root of the repository. */
  path: string
  name: string
}

function readLock(): Record<string, LockedPackage> {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  return lock.packages
}

/** Every package that is not ours. */
export function listThirdParties(): ThirdParty[] {
  return Object.entries(readLock())
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, locked]) => ({ ...locked, path, name: nameOf(path) }))
}

function nameOf(path: string): string {
  return path.replace(/^.*node_modules\//, '')
}

/** What the server and the page consist of on Linux, as far as it is not ours. */
export function listShipped(architectures: readonly string[]): ThirdParty[] {
  const needed = findNeeded(['bin', 'web'], architectures)
  return listThirdParties().filter(({ path }) => needed.has(path))
}

/** Packages and workspaces that these ones do not need at run time on Linux. */
export function listUnneeded(workspaces: readonly string[], architecture: string): string[] {
  const needed = findNeeded(workspaces, [architecture])
  return Object.keys(readLock()).filter((path) => path !== '' && !needed.has(path))
}

/** Packages and workspaces, and the links that lead to them. */
function findNeeded(workspaces: readonly string[], architectures: readonly string[]): Set<string> {
  const lock = readLock()
  const found = new Set<string>()
  const visit = (path: string): void => {
    if (found.has(path)) return
    found.add(path)
    const { link, resolved } = lock[path] ?? {}
    if (link && resolved !== undefined) visit(resolved)
    for (const name of dependenciesOf(lock[path])) {
      const theirs = resolveFrom(lock, path, name)
      if (theirs !== undefined && isFor(lock[theirs], architectures)) visit(theirs)
    }
  }
  workspaces.forEach(visit)
  return found
}

function dependenciesOf(locked: LockedPackage = {}): string[] {
  const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta } = locked
  const peers = Object.keys(peerDependencies).filter(
    (name) => peerDependenciesMeta?.[name]?.optional !== true,
  )
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]
}

/** As Node.js looks for it: in the folder itself, then in those above. */
function resolveFrom(
  lock: Record<string, LockedPackage>,
  folder: string,
  name: string,
): string | undefined {
  const path = join(folder, 'node_modules', name)
  if (lock[path]) return path
  const above = join(folder, '..')
  return folder === '.' || folder === '' ? undefined : resolveFrom(lock, above, name)
}

function isFor({ os, cpu, libc }: LockedPackage = {}, architectures: readonly string[]): boolean {
  return (
    (os?.includes('linux') ?? true) &&
    (cpu?.some((one) => architectures.includes(one)) ?? true) &&
    (libc?.includes('glibc') ?? true)
  )
}
