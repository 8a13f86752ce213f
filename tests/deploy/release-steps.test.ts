import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RELEASE_VERSION } from '@floe/contracts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findSection } from '../../deploy/release/notes.ts'
import { pack } from '../../deploy/release/pack.ts'
import { listCommitted, read } from '../architecture/repository.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'floe-release-steps-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A folder with the same files, made at another time, in another order and with other rights. */
function makeFolder(name: string, files: readonly string[], mode: number): string {
  const cwd = join(folder, name)
  mkdirSync(join(cwd, 'things'), { recursive: true })
  for (const [index, file] of files.entries()) {
    writeFileSync(join(cwd, 'things', file), `content of ${file}`)
    chmodSync(join(cwd, 'things', file), mode)
    utimesSync(join(cwd, 'things', file), 1_000_000 + index + mode, 1_000_000 + index + mode)
  }
  return cwd
}

test.each(['.tar.xz', '.tar.gz', '.tgz'])(
  '%s has the same bytes for the same content',
  (ending) => {
    const archives = [
      makeFolder('one', ['a', 'b', 'c'], 0o600),
      makeFolder('two', ['c', 'a', 'b'], 0o664),
    ].map((cwd) => {
      const archive = join(folder, `${cwd.slice(-3)}${ending}`)
      pack(archive, { cwd, paths: ['things'], seconds: 1_700_000_000 })
      return archive
    })
    const [one, two] = archives.map((archive) => readFileSync(archive))
    expect(one?.equals(two ?? Buffer.alloc(0))).toBe(true)
    const options = ['--list', '--verbose', '--numeric-owner', '--utc', '--file', archives[0] ?? '']
    const listed = execFileSync('tar', options, { encoding: 'utf8' })
    expect(listed.trim().split('\n').at(-1)).toMatch(
      /^-rw-r--r-- 0\/0 +12 2023-11-14 22:13 things\/c$/,
    )
  },
)

const changelog = `# Changelog

## Unreleased

- New

## 0.24.1+floe.2 - 2026-12-01

### Fixed

- Second

## 0.24.1 - 2026-11-23

- First
`

test.each([
  ['Unreleased', '- New'],
  ['0.24.1+floe.2', '### Fixed\n\n- Second'],
  ['0.24.1', '- First'],
  ['0.24.1+floe.1', undefined],
])('the notes of %s are its section of the changelog', (version, section) => {
  expect(findSection(version, changelog)).toBe(section)
})

test('the guides to installing name this release', () => {
  const named = listCommitted(/^docs\/install\//).flatMap((path) =>
    [...read(path).matchAll(/\d+\.\d+\.\d+\+floe\.\d+/g)].map(([version]) => `${path}: ${version}`),
  )
  expect(named.filter((one) => !one.endsWith(` ${RELEASE_VERSION}`))).toEqual([])
})
