import { expect, test } from 'vitest'
import { services } from '../../bin/src/services.ts'
import { listCommitted, read } from './repository.ts'

const production = listCommitted(/^(?:packages|services|bin|web)\/.*\.(?:ts|tsx|mjs)$/).filter(
  (path) => !/\.test\.tsx?$|\.fixture\.ts$|\/testing\/|^packages\/testing\//.test(path),
)

function filesWith(pattern: RegExp): string[] {
  return production.filter((path) => pattern.test(read(path)))
}

test('only the configuration and the composer read the environment', () => {
  const readers = filesWith(/\bprocess\.env\b/).filter(
    (path) =>
      !/^(?:packages\/(?:config|runtime\/src\/host|operator-tools|dev)|bin|web\/scripts)\/|^packages\/cli\/src\/main\.ts$|\.config\.ts$/.test(
        path,
      ),
  )
  // Programs of PostgreSQL get the search path handed on and nothing else of ours.
  expect(readers).toEqual(['packages/db/src/embedded/cluster.ts'])
  expect(read('packages/db/src/embedded/cluster.ts').match(/process\.env\S*/g)).toEqual([
    "process.env['PATH'],",
  ])
})

test('only the share service makes read grants', () => {
  const makers = filesWith(
    /readGrantSchema\s*\.\s*(?:safe)?parse|\bas\s+(?:unknown\s+as\s+)?ReadGrant\b/i,
  )
  expect(makers).toEqual(['services/share/src/domain/read-grant.ts'])
})

test('only the share service makes upload grants', () => {
  const makers = filesWith(
    /uploadGrantSchema\s*\.\s*(?:safe)?parse|\bas\s+(?:unknown\s+as\s+)?UploadGrant\b/i,
  )
  expect(makers.filter((path) => !path.startsWith('services/share/src/domain/'))).toEqual([])
  expect(makers).toHaveLength(1)
})

test('the paths a gateway knows by heart are those of the definitions', () => {
  const definitions = Object.keys(services.owners).map((name) => {
    const source = read(`services/${name}/src/index.ts`)
    const paths = /\bpaths:\s*\[([^\]]*)\]/.exec(source)?.[1] ?? ''
    return [name, [...paths.matchAll(/'([^']+)'/g)].map(([, path]) => path)]
  })
  const known = Object.entries(services.owners).map(([name, { paths }]) => [name, paths])
  expect(definitions).toEqual(known)
})

test('nothing is left for later, switched off or checked by half', () => {
  // Written so that it does not find itself.
  const pattern = /\b(?:TO[D]O|FIX[M]E|ts-[i]gnore|ts-[e]xpect-error|(?:es|ox)[l]int-disable)\b/
  const code = listCommitted(/\.(?:ts|tsx|mjs|cjs)$/)
  expect(code.filter((path) => pattern.test(read(path)))).toEqual([])
})

test('no test is skipped or alone', () => {
  const tests = listCommitted(/\.test\.tsx?$/)
  const switched = /\b(?:test|it|describe)(?:\.\w+)*\.(?:skip|only|todo|fails)\b/
  expect(tests.filter((path) => switched.test(read(path)))).toEqual([])
})
