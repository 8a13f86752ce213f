import { existsSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  importsOf,
  listCommitted,
  listWorkspaces,
  packageOf,
  read,
  readManifest,
  root,
} from './repository.ts'

/** Checks and tools that every workspace may lean on. */
const shared = new Set(Object.keys(readManifest('package.json').devDependencies ?? {}))

/** Present only where a test or a build runs. */
const toolFile =
  /\.(?:integration\.)?test\.tsx?$|\.fixture\.ts$|\/testing\/|-rig\.ts$|\/conformance(?:\.ts$|\/)|\.config\.(?:ts|cjs)$|\/scripts\/|^bin\/(?:build|dev|split|test)\b.*\.mjs$/

const workspaces = listWorkspaces()
/** `@floe/storage/s3` and the like: what a package exports beside its index. */
const offered = new Set(
  workspaces.flatMap(({ name, exports }) => exports.map((path) => `${name}${path.slice(1)}`)),
)

/** What an installed package expects beside it. */
function peersOf(name: string): string[] {
  const path = `node_modules/${name}/package.json`
  return existsSync(join(root, path)) ? Object.keys(readManifest(path).peerDependencies ?? {}) : []
}

/** No installation has them, so what they import may be missing there as well. */
const developerWorkspaces = new Set(['tests', 'docs', 'packages/dev'])

test('every workspace is found', () => {
  expect(workspaces.length).toBeGreaterThan(15)
})

describe.each(workspaces)('$folder', ({ folder, name, dependencies, devDependencies }) => {
  const files = listCommitted(/\.(?:ts|tsx|mts|mjs)$/).filter((path) =>
    path.startsWith(`${folder}/`),
  )
  const imports = files.flatMap((path) => importsOf(path).map((specifier) => ({ path, specifier })))

  test('names in its package.json what it imports', () => {
    const isTooling = (path: string) => developerWorkspaces.has(folder) || toolFile.test(path)
    const missing = imports.filter(({ path, specifier }) => {
      const wanted = packageOf(specifier)
      if (wanted === null || wanted === name || isBuiltin(specifier)) return false
      if (dependencies.has(wanted)) return false
      return !(isTooling(path) ? devDependencies.has(wanted) || shared.has(wanted) : false)
    })
    const isTypeRoot = ({ specifier }: { specifier: string }) => shared.has(`@types/${specifier}`)
    const isProven = (one: { path: string; specifier: string }) =>
      isTypeRoot(one) && toolFile.test(one.path)
    expect(missing.filter((one) => !isProven(one))).toEqual([])
  })

  test('imports what it names in its package.json', () => {
    // Programs and data are found by their name in a string, styles by an import of their own.
    const sources = listCommitted(/\.(?:tsx?|mts|mjs|cjs|css|html)$/)
      .filter((path) => path.startsWith(`${folder}/`))
      .map(read)
    const isNamed = (wanted: string) =>
      sources.some((source) =>
        new RegExp(`['"]${wanted}(?:/[^'"]*)?['"]|@vitest-environment ${wanted}$`, 'm').test(
          source,
        ),
      )
    const listed = [...dependencies, ...devDependencies]
    const peers = new Set(listed.flatMap(peersOf))
    const unused = listed.filter(
      (wanted) => !isNamed(wanted.replace(/^@types\//, '')) && !peers.has(wanted),
    )
    expect(unused).toEqual([])
  })

  test('reaches other workspaces by their names alone', () => {
    const strays = imports.filter(({ path, specifier }) => {
      if (!specifier.startsWith('.')) return false
      const target = join(dirname(path), specifier)
      // A workspace has no path into another; tests start programs, they do not import them.
      // The scripts of releases belong to none.
      return !target.startsWith(`${folder}/`) && !target.startsWith('deploy/release/')
    })
    const allowed = strays.filter(({ path }) => !path.startsWith('tests/architecture/'))
    expect(allowed).toEqual([])
  })

  test('imports what other workspaces export, not their insides', () => {
    const insides = imports.filter(
      ({ specifier }) => /^@floe\/[^/]+\//.test(specifier) && !offered.has(specifier),
    )
    expect(insides).toEqual([])
  })
})
