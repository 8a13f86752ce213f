import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUp } from './world/accounts.ts'
import { archivePath, expectAccepted, openBody, saveBody } from './world/archives.ts'
import { onBothArrangements } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { completeShare, createShare, openShare } from './world/shares.ts'
import type { FloeUnderTest } from './world/start-arrangements.ts'
import { beginUpload, createUpload, offsetStream } from './world/tus.ts'

const GIB = 1024 ** 3

interface Size {
  smallFiles: number
  bigFileBytes: number
  /** One PATCH carries this much of the big file. */
  requestBytes: number
  /** On a quiet machine 50 ms is the budget; a busy one only has to stay sane. */
  firstByteMs: number
}

/** Needs ZIP64 for its length, its offsets and its entries; once is enough, and takes a while. */
const huge: Size = {
  smallFiles: 10_000,
  bigFileBytes: 4 * GIB + 1,
  requestBytes: GIB,
  firstByteMs: 2_000,
}
const small: Size = {
  smallFiles: 60,
  bigFileBytes: 3_000_001,
  requestBytes: 1_000_000,
  firstByteMs: 2_000,
}

const folders = ['', 'photos/2026/', 'Übersicht/日本/', 'empty 😀/deep/deeper/deepest/']

/** Every fifth name has been there before. */
function smallFileName(index: number): string {
  const folder = folders[index % folders.length] ?? ''
  return index % 5 === 4 ? `${folder}again.txt` : `${folder}grüße-${index}.txt`
}

onBothArrangements('Download all of a large share', (floe) => {
  const size = floe.arrangement === 'embedded' ? huge : small
  let scratch: string
  let visitor: Client
  let path: string
  let archiveFile: string
  let head: { length: number; etag: string }
  let wholeDigest: string

  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'floe-archive-'))
    archiveFile = join(scratch, 'all.zip')
    const owner = await signUp(floe)
    const shareId = await createShare(owner)
    await timed(`upload of ${size.smallFiles} files`, () => uploadMany(floe, owner, shareId, size))
    await timed('upload of the big file', () => uploadZeros(owner, shareId, size))
    await completeShare(owner, shareId)
    visitor = createClient(floe.url)
    await openShare(visitor, shareId)
    path = archivePath(shareId)
  }, 600_000)
  afterAll(() => rm(scratch, { recursive: true, force: true }))

  test('is ready at once, and its length and tag are known without a byte', async () => {
    const response = await visitor.send('HEAD', path)
    expect(response.status).toBe(200)
    head = { length: Number(response.headers['content-length']), etag: response.headers.etag ?? '' }
    expect(head.length).toBeGreaterThan(size.bigFileBytes)
    expect(head.etag).toMatch(/^"[^"]+"$/)
  })

  test('begins soon', async () => {
    const times: number[] = []
    for (let turn = 0; turn < 5; turn += 1) {
      const startedAt = performance.now()
      const response = await openBody(visitor, path)
      await once(response, 'readable')
      times.push(performance.now() - startedAt)
      response.destroy()
    }
    const [best = 0] = times.sort((a, b) => a - b)
    report(`first byte after ${times.map((time) => time.toFixed(0)).join(', ')} ms`)
    expect(best).toBeLessThan(size.firstByteMs)
  })

  test('has exactly the length it told', async () => {
    await timed('download', async () => {
      wholeDigest = (await saveBody(await openBody(visitor, path), archiveFile)).sha256
    })
    expect((await stat(archiveFile)).size).toBe(head.length)
  }, 600_000)

  test('is accepted by unzip, 7z and Python', async () => {
    await Promise.all([
      timed('unzip -t', () => expectAccepted('unzip', ['-tqq', archiveFile])),
      timed('7z t', () => expectAccepted('7z', ['t', '-bso0', archiveFile])),
      timed('zipfile', () =>
        expectAccepted('python3', ['-c', readWithPython, archiveFile, String(size.smallFiles + 1)]),
      ),
    ])
  }, 600_000)

  test('in two ranges is the same bytes as in one', async () => {
    const middle = Math.floor(head.length / 2) + 13
    const hash = createHash('sha256')
    await timed('two ranges', async () => {
      for (const range of [`bytes=0-${middle - 1}`, `bytes=${middle}-`]) {
        const response = await openBody(visitor, path, { Range: range, 'If-Range': head.etag })
        expect(response.statusCode).toBe(206)
        for await (const chunk of response) hash.update(chunk as Buffer)
      }
    })
    expect(hash.digest('hex')).toBe(wholeDigest)
  }, 600_000)

  test('goes on only where it is still the same', async () => {
    const end = `bytes=${head.length - 22}-`
    const same = await openBody(visitor, path, { Range: end, 'If-Range': head.etag })
    expect(same.statusCode).toBe(206)
    expect(same.headers['content-range']).toBe(
      `bytes ${head.length - 22}-${head.length - 1}/${head.length}`,
    )
    same.resume()
    const other = await openBody(visitor, path, { Range: end, 'If-Range': '"another"' })
    expect(other.statusCode).toBe(200)
    expect(Number(other.headers['content-length'])).toBe(head.length)
    other.destroy()
  })
})

/** Sixteen connections, each file whole with its creation. */
async function uploadMany(
  { url }: FloeUnderTest,
  owner: Client,
  shareId: string,
  { smallFiles }: Size,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const client = createClient(url, { agent })
  client.cookies.set('access_token', owner.cookies.get('access_token') ?? '')
  let next = 0
  const work = async () => {
    while (next < smallFiles) {
      const index = next
      next += 1
      const bytes = Buffer.from(`file ${index}\n`.repeat(index % 50))
      const filename = smallFileName(index)
      const upload = { shareId, filename, lengthBytes: bytes.length }
      const response = await createUpload(client, {
        ...upload,
        relativePath: filename,
        ...(bytes.length > 0 && { bytes }),
      })
      if (response.status !== 201)
        throw new Error(`${filename}: ${response.status} ${response.text}`)
    }
  }
  await Promise.all(Array.from({ length: 16 }, work))
  agent.destroy()
}

const zeros = Buffer.alloc(1 << 20)

async function uploadZeros(
  owner: Client,
  shareId: string,
  { bigFileBytes, requestBytes }: Size,
): Promise<void> {
  const path = await beginUpload(owner, {
    shareId,
    filename: 'größe.bin',
    relativePath: 'groß/größe.bin',
    lengthBytes: bigFileBytes,
  })
  for (let offset = 0; offset < bigFileBytes; offset += requestBytes) {
    const bytes = Math.min(requestBytes, bigFileBytes - offset)
    expect(await patchZeros(owner.url, path, offset, bytes)).toBe(204)
  }
}

async function patchZeros(
  url: string,
  path: string,
  offset: number,
  sizeBytes: number,
): Promise<number> {
  const req = request(new URL(path, url), {
    method: 'PATCH',
    headers: {
      'Tus-Resumable': '1.0.0',
      'Content-Type': offsetStream,
      'Upload-Offset': String(offset),
      'Content-Length': String(sizeBytes),
    },
  })
  const responded = once(req, 'response') as Promise<[IncomingMessage]>
  for (let left = sizeBytes; left > 0; left -= zeros.length) {
    const isRoomLeft = req.write(left < zeros.length ? zeros.subarray(0, left) : zeros)
    if (!isRoomLeft) await Promise.race([once(req, 'drain'), responded])
  }
  req.end()
  const [response] = await responded
  response.resume()
  return response.statusCode ?? 0
}

const readWithPython = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    names = archive.namelist()
    assert len(names) == int(sys.argv[2]), len(names)
    assert len(set(names)) == len(names), 'two entries have one name'
    assert any(name.startswith('Übersicht/日本/') for name in names)
    assert not any(name.startswith('/') or '..' in name.split('/') for name in names)
    assert archive.testzip() is None
`

async function timed(what: string, act: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  await act()
  report(`${what} took ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

function report(line: string): void {
  process.stdout.write(`  archive: ${line}\n`)
}
