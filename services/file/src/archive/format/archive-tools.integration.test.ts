import { execFile, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { ArchiveEntry } from '@floe/archive'
import { afterAll, describe, expect, test } from 'vitest'
import {
  base,
  putDeflated,
  putEntry,
  putZeros,
  pythonCheck,
  removeArchives,
  writeArchive,
} from '../../testing/archive-files.ts'

const run = promisify(execFile)
afterAll(removeArchives)

/** Each judges a whole archive, CRC-32s included, and fails if it dislikes anything. */
const judges = [
  { tool: 'unzip', judge: (file: string) => run('unzip', ['-tqq', file]) },
  { tool: '7z', judge: (file: string) => run('7z', ['t', '-bd', file]) },
  { tool: 'python3', judge: (file: string) => run('python3', ['-c', pythonCheck, file]) },
].filter(({ tool }) => isInstalled(tool))

function isInstalled(tool: string): boolean {
  try {
    execFileSync('which', [tool], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function expectAccepted(entries: readonly ArchiveEntry<string>[]) {
  const file = await writeArchive(entries)
  for (const { tool, judge } of judges) {
    await expect(judge(file), tool).resolves.toBeDefined()
  }
  return file
}

describe('an archive', () => {
  test('is judged by at least one foreign tool', () => {
    expect(judges.length).toBeGreaterThan(0)
  })

  test('of hostile, equal, nested, Unicode and empty names unpacks to exactly its files', async () => {
    const labels = [
      ...['plain.txt', 'plain.txt', 'PLAIN.TXT', 'empty', 'Ünïcödé/文件 😀.txt', 'مستند.pdf'],
      ...['a/b/c/d/e.txt', 'a/b', '../../escape.txt', '/root.txt', 'C:\\Windows\\x.dll', 'con'],
    ]
    const contents = labels.map((label) => (label === 'empty' ? '' : `${label} ${randomUUID()}`))
    const entries = await Promise.all(
      labels.map((label, index) => putEntry(label, Buffer.from(contents[index] ?? ''))),
    )
    const file = await expectAccepted(entries)
    const target = path.join(base, 'unpacked')
    await mkdir(target)
    await run('python3', ['-m', 'zipfile', '-e', file, target])
    const expected = [
      ...['plain.txt', 'plain (2).txt', 'PLAIN (3).TXT', 'empty', 'Ünïcödé/文件 😀.txt'],
      ...['مستند.pdf', 'a/b/c/d/e.txt', 'a/b (2)', 'escape.txt', 'root.txt', 'C_/Windows/x.dll'],
      '_con',
    ]
    for (const [index, name] of expected.entries()) {
      expect(await readFile(path.join(target, name), 'utf8')).toBe(contents[index])
    }
  })

  test('of stored and deflated entries unpacks to exactly its files', async () => {
    const contents = Array.from({ length: 30 }, (_, index) => ({
      label: `Übersicht/日本 ${index % 7}/файл ${index}.txt`,
      bytes: Buffer.from(`line ${index} of ${randomUUID()}\n`.repeat(index * 100)),
    }))
    const entries = await Promise.all(
      contents.map(({ label, bytes }, index) =>
        index % 3 === 0 ? putEntry(label, bytes) : putDeflated(label, bytes, 1 + (index % 9)),
      ),
    )
    const file = await expectAccepted(entries)
    const target = path.join(base, 'mixed')
    await mkdir(target)
    await run('python3', ['-m', 'zipfile', '-e', file, target])
    for (const { label, bytes } of contents) {
      expect((await readFile(path.join(target, label))).equals(bytes)).toBe(true)
    }
  })

  test('without files is valid', async () => {
    const file = await writeArchive([])
    const { stdout } = await run('python3', ['-c', pythonCheck, file])
    expect(stdout.trim()).toBe('0')
  })

  test('keeps the time of modification to the second', async () => {
    const file = await writeArchive([await putEntry('a', Buffer.from('a'))])
    const target = path.join(base, 'times')
    await run('unzip', ['-q', file, '-d', target], { env: { ...process.env, TZ: 'Asia/Tokyo' } })
    const unpacked = await open(path.join(target, 'a'))
    const { mtime, mode } = await unpacked.stat()
    await unpacked.close()
    expect(mtime).toEqual(new Date('2026-11-20T12:34:56Z'))
    expect(mode & 0o777).toBe(0o644)
  })

  test('at the exact limit of 32 bits is accepted', async () => {
    const limit = 0xffffffff
    const headerBytes = 30 + 1 + 9
    // The second header begins at the limit itself, one byte before and one after it.
    for (const sizeBytes of [-1, 0, 1].map((step) => limit + step - headerBytes)) {
      const entries = [await putZeros('a', sizeBytes), await putEntry('b', Buffer.from('b'))]
      const file = await writeArchive(entries)
      const listed = await run('python3', ['-m', 'zipfile', '-l', file])
      expect(listed.stdout).toContain(String(sizeBytes))
      const { stdout } = await run('unzip', ['-p', file, 'b'])
      expect(stdout).toBe('b')
    }
    for (const sizeBytes of [limit - 1, limit]) {
      const file = await writeArchive([await putZeros('a', sizeBytes)])
      const listed = await run('python3', ['-m', 'zipfile', '-l', file])
      expect(listed.stdout).toContain(String(sizeBytes))
    }
  }, 180_000)
})
