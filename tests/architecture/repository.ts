import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Paths below the root of every committed file that is still there. */
export function listCommitted(pattern: RegExp = /./): string[] {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  const deleted = execFileSync('git', ['ls-files', '-z', '--deleted'], {
    cwd: root,
    encoding: 'utf8',
  })
  const gone = new Set(deleted.split('\0'))
  return files.split('\0').filter((path) => path !== '' && !gone.has(path) && pattern.test(path))
}

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** What the module imports, re-exports or loads, types included. */
export function importsOf(path: string): string[] {
  const source = read(path).replace(/^\s*(\/\/|\*|\/\*).*$/gm, '')
  const statements = source.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g,
  )
  return [...statements].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '')
}

/** `@scope/name` or `name` of an import from a package; null for files and built-in modules. */
export function packageOf(specifier: string): string | null {
  if (specifier.startsWith('.') || specifier.startsWith('node:')) return null
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? null)
}

export interface Workspace {
  /** Below the root. */
  folder: string
  name: string
  dependencies: Set<string>
  devDependencies: Set<string>
  /** `.` for the index. */
  exports: string[]
}

interface Manifest {
  name: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  exports?: Record<string, unknown>
  peerDependencies?: Record<string, string>
}

export function readManifest(path: string): Manifest {
  return JSON.parse(read(path)) as Manifest
}

export function listWorkspaces(): Workspace[] {
  return listCommitted(/^(?:(?:packages|services)\/[^/]+|bin|web|docs|tests)\/package\.json$/).map(
    (path) => {
      const { name, dependencies = {}, devDependencies = {}, exports = {} } = readManifest(path)
      return {
        folder: path.slice(0, path.lastIndexOf('/')),
        name,
        dependencies: new Set(Object.keys(dependencies)),
        devDependencies: new Set(Object.keys(devDependencies)),
        exports: Object.keys(exports),
      }
    },
  )
}
