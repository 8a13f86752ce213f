import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeSentences, type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { newAccount, signInAsAdmin, signUp } from './world/accounts.ts'
import {
  archivePath,
  expectAccepted,
  openBody,
  readArchiveState,
  saveBody,
  waitForArchive,
} from './world/archives.ts'
import { onBothArrangements } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { changeSettings } from './world/mail.ts'
import { addFile, codeOf, completeShare, createShare, openShare } from './world/shares.ts'
import type { FloeUnderTest } from './world/start-arrangements.ts'
import { append, beginUpload } from './world/tus.ts'

const MiB = 1024 * 1024

const setLevel = (admin: Client, level: number) =>
  changeSettings(admin, [{ key: 'share.zipCompressionLevel', value: level }])

let scratch: string
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'floe-levels-'))
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

onBothArrangements('Download all with compression', (floe) => {
  let admin: Client
  let owner: Client

  beforeAll(async () => {
    admin = await signInAsAdmin(floe)
    owner = await signUp(floe)
  })
  beforeEach(() => setLevel(admin, 6))
  afterEach(() => setLevel(admin, 0))

  async function publish(files: Record<string, Buffer | string>): Promise<string> {
    const shareId = await createShare(owner)
    for (const [name, content] of Object.entries(files))
      await addFile(owner, shareId, name, content)
    await completeShare(owner, shareId)
    return shareId
  }

  test('is prepared first, and says so, and then is a file of known length', async () => {
    const shareId = await publish({
      'grüße.txt': makeSentences(8 * MiB, 1),
      'zufall.bin': randomBytes(2 * MiB),
      'empty.txt': '',
    })
    const { visitor, path } = await enter(floe, shareId)
    const early = await visitor.send('GET', path)
    // On a quiet machine the worker may have been faster.
    if (early.status !== 200) {
      expect([early.status, codeOf(early)]).toEqual([503, 'archive_not_ready'])
      expect(Number(early.headers['retry-after'])).toBeGreaterThan(0)
    }
    const told = await waitForArchive(visitor, shareId)
    expect(told).toEqual(told.toSorted((a, b) => a - b))
    expect(await readArchiveState(visitor, shareId)).toEqual({ id: shareId, isZipReady: true })

    const head = await visitor.send('HEAD', path)
    const file = join(scratch, `${shareId}.zip`)
    const { sizeBytes } = await saveBody(await openBody(visitor, path), file)
    expect(sizeBytes).toBe(Number(head.headers['content-length']))
    expect(sizeBytes).toBeLessThan(6.5 * MiB)
    await expectArchive(file, ['grüße.txt 8', 'zufall.bin 0', 'empty.txt 0'])
    await expectRanges(visitor, path, readFileSync(file), head.headers.etag ?? '')
  })

  test('costs one segment more after one file more in 1 000, and never ends a download begun before', async () => {
    const shareId = await createShare(owner)
    for (let first = 0; first < 1_000; first += 20) {
      await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          addFile(owner, shareId, `${first + at}.txt`, makeSentences(3_000, first + at + 1)),
        ),
      )
    }
    await completeShare(owner, shareId)
    const { visitor, path } = await enter(floe, shareId)
    await waitForArchive(visitor, shareId)
    const before = readWhole(await visitor.send('GET', path))
    const objects = await countObjects(floe)

    const slow = await openBody(visitor, path)
    slow.pause()
    expect((await owner.send('DELETE', `/api/shares/${shareId}/complete`)).status).toBe(200)
    await addFile(owner, shareId, 'one more.txt', makeSentences(3_000, 5_000))
    expect(readWhole(await visitor.send('GET', path)).equals(before)).toBe(true)
    await completeShare(owner, shareId)
    await waitForArchive(visitor, shareId)
    expect(await countObjects(floe)).toBe(objects + 2)

    const chunks: Buffer[] = []
    for await (const chunk of slow) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).equals(before)).toBe(true)
    const after = readWhole(await visitor.send('GET', path))
    expect(after.includes('one more.txt')).toBe(true)
    const old = await visitor.send('GET', path, {
      headers: { Range: 'bytes=10-', 'If-Range': '"old"' },
    })
    expect([old.status, old.bytes.length]).toEqual([200, after.length])
  })

  test('is resumed by half without a word of it after the level was changed', async () => {
    const shareId = await publish({
      'text.txt': makeSentences(MiB, 7),
      'more.txt': makeSentences(MiB, 8),
    })
    const { visitor, path } = await enter(floe, shareId)
    await waitForArchive(visitor, shareId)
    const before = await visitor.send('GET', path)
    const half = Math.floor(before.bytes.length / 2)
    const file = join(scratch, `${shareId}.zip`)
    for (const level of [9, 1, 0]) {
      await setLevel(admin, level)
      const head = await visitor.send('HEAD', path)
      expect(head.headers.etag).toBe(before.headers.etag)
      expect(head.headers['content-length']).toBe(String(before.bytes.length))
      await writeFile(file, before.bytes.subarray(0, half))
      const cookie = visitor.cookies.header(path)
      const url = `${floe.url}${path}`
      await expectAccepted('curl', ['-sS', '-f', '-C', '-', '-b', cookie, '-o', file, url])
      expect(readFileSync(file).equals(before.bytes), `level ${level}`).toBe(true)
      await expectArchive(file, ['text.txt 8', 'more.txt 8'])
    }
  })

  test('takes the level the administrator has set with the next edition', async () => {
    const shareId = await publish({ 'text.txt': makeSentences(MiB, 7) })
    const { visitor, path } = await enter(floe, shareId)
    const lengthAt = async (level: number) => {
      await setLevel(admin, level)
      expect((await owner.send('DELETE', `/api/shares/${shareId}/complete`)).status).toBe(200)
      await completeShare(owner, shareId)
      await waitForArchive(visitor, shareId)
      const { headers } = await visitor.send('HEAD', path)
      return Number(headers['content-length'])
    }
    const [stored, fast, best] = [await lengthAt(0), await lengthAt(1), await lengthAt(9)]
    expect(stored).toBeGreaterThan(MiB)
    expect(fast).toBeLessThan(0.6 * stored)
    expect(best).toBeLessThan(fast)
  })
})

describe('half a gibibyte of text at level 6, its worker killed in the middle', () => {
  /** Deflate looks back 32 KiB: to it, the repetition is not one. */
  const piece = makeSentences(16 * MiB, 42)
  /** Twice what the process may hold in memory. */
  const pieces = 32
  const sizeBytes = pieces * piece.length
  let floe: RunningFloe
  let owner: Client
  let shareId: string

  beforeAll(async () => {
    floe = await startFloe({ arrangement: 'embedded' })
    owner = await signUp(floe, newAccount())
    await setLevel(owner, 6)
    shareId = await createShare(owner)
    const path = await beginUpload(owner, { shareId, filename: 'text.txt', lengthBytes: sizeBytes })
    for (let offset = 0; offset < sizeBytes; offset += piece.length) {
      expect((await append(owner, path, offset, piece)).status).toBe(204)
    }
    await completeShare(owner, shareId)
  }, 600_000)
  afterAll(() => floe.stop())

  test('goes on where it was, and makes what zip -6 makes, in bounded memory', async () => {
    const { visitor, path } = await enter(floe, shareId)
    const progress = async () => (await readArchiveState(visitor, shareId)).progress ?? 1
    await vi.waitFor(async () => expect(await progress()).toBeGreaterThan(0.3), {
      timeout: 300_000,
      interval: 50,
    })
    await floe.kill()
    await floe.restart()
    const restartedAt = performance.now()
    const kept = await progress()
    expect(kept).toBeGreaterThan(0.3)
    expect(kept).toBeLessThan(1)
    const told = await waitForArchive(visitor, shareId, 600_000)
    report(`went on at ${kept.toFixed(2)}, ready after ${secondsSince(restartedAt)} s`)
    expect(told).toEqual(told.toSorted((a, b) => a - b))
    const peakMiB = peakMemory(floe.pid) / MiB
    report(`peak memory of the process ${peakMiB.toFixed(0)} MiB`)
    expect(peakMiB).toBeLessThan(256)

    const file = join(scratch, 'ours.zip')
    const head = await visitor.send('HEAD', path)
    const saved = await saveBody(await openBody(visitor, path), file)
    expect(saved.sizeBytes).toBe(Number(head.headers['content-length']))
    await expectAccepted('unzip', ['-tqq', file])
    const theirs = await zipSix()
    report(`${saved.sizeBytes} bytes, zip -6 makes ${theirs}`)
    expect(saved.sizeBytes / theirs).toBeLessThan(1.03)
  }, 1_200_000)

  /** Of all pieces: for the same reason each takes as much as the first. */
  async function zipSix(): Promise<number> {
    const plain = join(scratch, 'text.txt')
    await writeFile(plain, piece)
    await expectAccepted('zip', ['-6', '-q', '-j', join(scratch, 'theirs.zip'), plain])
    return (await stat(join(scratch, 'theirs.zip'))).size * pieces
  }
})

async function enter({ url }: Pick<FloeUnderTest, 'url'>, shareId: string) {
  const visitor = createClient(url)
  expect((await openShare(visitor, shareId)).status).toBe(200)
  return { visitor, path: archivePath(shareId) }
}

function readWhole({ status, bytes, text }: { status: number; bytes: Buffer; text: string }) {
  expect(status, status === 200 ? '' : text).toBe(200)
  return bytes
}

/** Name and method of every entry, in the order of the archive. */
async function expectArchive(file: string, entries: readonly string[]): Promise<void> {
  await expectAccepted('unzip', ['-tqq', file])
  await expectAccepted('7z', ['t', '-bso0', file])
  const listed = await expectAccepted('python3', ['-c', listWithPython, file])
  expect(listed.trim().split('\n').sort()).toEqual([...entries].sort())
}

const listWithPython = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    for entry in archive.infolist():
        print(entry.filename, entry.compress_type)
`

async function expectRanges(
  visitor: Client,
  path: string,
  whole: Buffer,
  etag: string,
): Promise<void> {
  const cuts = [1, 50, 4_000, Math.floor(whole.length / 2), whole.length - 22]
  for (const [index, start] of cuts.entries()) {
    const end = Math.min(whole.length, start + 10 ** (index + 1)) - 1
    const { status, headers, bytes } = await visitor.send('GET', path, {
      headers: { Range: `bytes=${start}-${end}`, 'If-Range': etag },
    })
    expect(status).toBe(206)
    expect(headers['content-range']).toBe(`bytes ${start}-${end}/${whole.length}`)
    expect(bytes.equals(whole.subarray(start, end + 1))).toBe(true)
  }
}

async function countObjects({ objectsDirectory }: FloeUnderTest): Promise<number> {
  const names = await readdir(objectsDirectory, { recursive: true })
  return names.filter((name) => /[0-9a-f]{32}$/.test(name)).length
}

/** The most bytes the process has held in memory since its start. */
function peakMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

function secondsSince(startedAt: number): string {
  return ((performance.now() - startedAt) / 1000).toFixed(0)
}

function report(line: string): void {
  process.stdout.write(`  archive at level 6: ${line}\n`)
}
