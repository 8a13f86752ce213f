import { execFile, execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, truncateSync } from 'node:fs'
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { constants, crc32, deflateRawSync } from 'node:zlib'
import { combineCrc32, createDiskStore, newObjectKey } from '@floe/storage'
import { afterAll, describe, expect, test } from 'vitest'
import { planArchive, type ArchiveEntry, type ArchivePlan } from './archive-plan.ts'
import { createArchiveSource } from './archive-source.ts'

const run = promisify(execFile)
const base = mkdtempSync(path.join(tmpdir(), 'floe-archive-'))
const objects = path.join(base, 'objects')
const store = createDiskStore({ directory: objects })
afterAll(() => rm(base, { recursive: true, force: true }))

/** Keys of objects that hold nothing but zeros. */
const zeros = new Set<string>()

const pythonCheck = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    print(len(archive.infolist()))
`

const pythonRead = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    sys.stdout.write(archive.read(sys.argv[2]).decode())
`

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

async function putEntry(label: string, bytes: Buffer): Promise<ArchiveEntry> {
  const objectKey = newObjectKey()
  await store.putSmall(objectKey, [bytes])
  return entryOf(label, objectKey, bytes.length, crc32(bytes))
}

/** The same entry with a deflated segment of what it holds. */
async function withSegment(entry: ArchiveEntry, deflated: Buffer): Promise<ArchiveEntry> {
  const objectKey = newObjectKey()
  await store.putSmall(objectKey, [deflated])
  const segment = { objectKey, sizeBytes: deflated.length, readyAt: new Date('2026-11-21') }
  return { ...entry, segment }
}

async function putDeflated(label: string, bytes: Buffer, level: number): Promise<ArchiveEntry> {
  return withSegment(await putEntry(label, bytes), deflateRawSync(bytes, { level }))
}

/** Deflated zeros of any length, from one block that refers to the zeros before it. */
function deflateZeros(sizeBytes: number): Buffer {
  const blockBytes = 1 << 20
  const dictionary = Buffer.alloc(1 << 15)
  const finishFlush = constants.Z_SYNC_FLUSH
  const first = deflateRawSync(Buffer.alloc(blockBytes), { finishFlush })
  const next = deflateRawSync(Buffer.alloc(blockBytes), { finishFlush, dictionary })
  const last = deflateRawSync(Buffer.alloc(sizeBytes % blockBytes), { dictionary })
  const count = Math.floor(sizeBytes / blockBytes) - 1
  return Buffer.concat([first, ...Array<Buffer>(count).fill(next), last])
}

function entryOf(label: string, objectKey: string, sizeBytes: number, crc: number): ArchiveEntry {
  const modifiedAt = new Date('2026-11-20T12:34:56Z')
  return { fileId: randomUUID(), objectKey, path: label, sizeBytes, crc32: crc, modifiedAt }
}

/** An object of zeros that takes no room on disk. */
async function putZeros(label: string, sizeBytes: number): Promise<ArchiveEntry> {
  const objectKey = newObjectKey()
  await store.create(objectKey)
  zeros.add(objectKey)
  truncateSync(path.join(objects, objectKey.slice(0, 2), objectKey), sizeBytes)
  let crc = 0
  let blockCrc = crc32(Buffer.alloc(1))
  for (let bit = 1; bit <= sizeBytes; bit *= 2) {
    if (Math.floor(sizeBytes / bit) % 2 === 1) crc = combineCrc32(crc, blockCrc, bit)
    blockCrc = combineCrc32(blockCrc, blockCrc, bit)
  }
  return entryOf(label, objectKey, sizeBytes, crc)
}

/** Leaves holes in the middle of long runs of zeros. */
async function writeArchive(entries: readonly ArchiveEntry[]): Promise<string> {
  const plan = planArchive(entries)
  const source = createArchiveSource(plan, { openObject: (key) => store.openReader(key) })
  const file = path.join(base, `${randomUUID()}.zip`)
  const target = await open(file, 'w')
  const buffer = Buffer.alloc(1024 * 1024)
  let position = 0
  while (position < plan.sizeBytes) {
    const count = await source.read(buffer, position)
    await target.write(buffer, 0, count, position)
    position += count
    const end = endOfZeros(plan, position)
    if (end - position > 2 * buffer.length) position = end - buffer.length
  }
  await target.close()
  await source.close()
  expect(position).toBe(plan.sizeBytes)
  return file
}

/** End of the object of zeros that `position` lies in; 0 if it lies in none. */
function endOfZeros({ layout }: ArchivePlan, position: number): number {
  const index = layout.objectKeys.findIndex((key, entry) => {
    const end = layout.localStarts[entry + 1] ?? 0
    return zeros.has(key) && position < end && position >= end - (layout.objectSizes[entry] ?? 0)
  })
  return index === -1 ? 0 : (layout.localStarts[index + 1] ?? 0)
}

async function expectAccepted(entries: readonly ArchiveEntry[]) {
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

  test('with a deflated file over 4 GiB, larger than the whole archive, is accepted', async () => {
    const sizeBytes = 2 ** 32 + 3
    const zerosEntry = await putZeros('deflated zeros.bin', sizeBytes)
    const file = await writeArchive([
      await putDeflated('before.txt', Buffer.from('before '.repeat(100)), 9),
      await withSegment(zerosEntry, deflateZeros(sizeBytes)),
      await putDeflated('behind.txt', Buffer.from('behind '.repeat(100)), 1),
    ])
    // One judge reads all of it, which takes a while; the others must find their way in it.
    await expect(judges[0]?.judge(file)).resolves.toBeDefined()
    if (isInstalled('7z')) await run('7z', ['t', '-bd', file, 'behind.txt'])
    const { stdout } = await run('python3', ['-c', pythonRead, file, 'behind.txt'])
    expect(stdout).toBe('behind '.repeat(100))
    const listed = await run('python3', ['-m', 'zipfile', '-l', file])
    expect(listed.stdout).toContain(String(sizeBytes))
  }, 240_000)

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

  test('of more files than 16 bits count is accepted', async () => {
    const shared = await putEntry('0', Buffer.from('shared'))
    const entries = Array.from({ length: 66_000 }, (_, index) => ({
      ...shared,
      path: `${index % 7}/${index}.txt`,
    }))
    await expectAccepted(entries)
  }, 120_000)

  test('with a file over 4 GiB and files behind it is accepted', async () => {
    const behind = randomBytes(1_000).toString('hex')
    const file = await writeArchive([
      await putEntry('before.bin', randomBytes(1_000)),
      await putZeros('four gibibytes.bin', 4 * 2 ** 30 + 3),
      await putEntry('behind.txt', Buffer.from(behind)),
      await putEntry('empty behind.bin', Buffer.alloc(0)),
    ])
    await expect(run('python3', ['-c', pythonCheck, file])).resolves.toBeDefined()
    await expect(run('unzip', ['-tqq', file, 'behind.txt', '*behind.bin'])).resolves.toBeDefined()
    const { stdout } = await run('python3', ['-c', pythonRead, file, 'behind.txt'])
    expect(stdout).toBe(behind)
  }, 180_000)

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
