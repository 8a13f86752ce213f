import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeSentences } from '@floe/testing'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { signInAsAdmin, signUp } from '../world/accounts.ts'
import {
  archivePath,
  expectAccepted,
  openBody,
  readArchiveState,
  saveBody,
  waitForArchive,
} from '../world/archives.ts'
import { onOneArrangement } from '../world/arrangements.ts'
import { type Client, createClient } from '../world/http-client.ts'
import { changeSettings } from '../world/mail.ts'
import { addFile, codeOf, completeShare, createShare, openShare } from '../world/shares.ts'
import type { FloeUnderTest } from '../world/start-arrangements.ts'

const MiB = 1024 * 1024

const setLevel = (admin: Client, level: number) =>
  changeSettings(admin, [{ key: 'share.zipCompressionLevel', value: level }])

let scratch: string
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'floe-levels-'))
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

onOneArrangement('embedded', 'Download all with compression', (floe) => {
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
