import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checksumLine } from './checksum-line.ts'

const run = promisify(execFile)
const digest = 'a'.repeat(64)

describe('a checksum line', () => {
  test.each([
    ['plain.txt', `${digest}  plain.txt\n`],
    ['folder/two words.txt', `${digest}  folder/two words.txt\n`],
    ['日本/😀.txt', `${digest}  日本/😀.txt\n`],
    ['-', `${digest}  ./-\n`],
    ['a\\b', `\\${digest}  a\\\\b\n`],
    ['a\nb\rc', `\\${digest}  a\\nb\\rc\n`],
  ])('of %j is what GNU coreutils write', (path, line) => {
    expect(checksumLine(path, digest)).toBe(line)
  })
})

describe('sha256sum -c', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'floe-checksums-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('finds the file that each line means', async () => {
    const names = [
      '-',
      '-n',
      '--help',
      ' a',
      'a ',
      '*b',
      '#c',
      'a\\b',
      'a\\nb',
      'a\nb',
      'a\rb',
      '日',
    ]
    const lines = await Promise.all(
      names.map(async (name) => {
        await writeFile(join(folder, name), name)
        return checksumLine(name, createHash('sha256').update(name).digest('hex'))
      }),
    )
    await writeFile(join(folder, 'SHA256SUMS'), lines.join(''))
    const { stdout } = await run('sha256sum', ['--strict', '-c', 'SHA256SUMS'], { cwd: folder })
    expect(stdout.match(/: OK$/gm)).toHaveLength(names.length)
  })
})
