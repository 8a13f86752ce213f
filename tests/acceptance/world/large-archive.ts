import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUp } from './accounts.ts'
import { archivePath, expectAccepted, openBody, saveBody } from './archives.ts'
import { type Client, createClient } from './http-client.ts'
import { completeShare, createShare, openShare } from './shares.ts'
import type { FloeUnderTest } from './start-arrangements.ts'
import { beginUpload, createUpload, offsetStream } from './tus.ts'

export interface LargeShare {
  smallFiles: number
  bigFileBytes: number
  /** One PATCH carries this much of the big file. */
  requestBytes: number
}

/** On a quiet machine 50 ms is the budget; a busy one only has to stay sane. */
const FIRST_BYTE_MS = 2_000

const folders = ['', 'photos/2026/', 'Übersicht/日本/', 'empty 😀/deep/deeper/deepest/']

/** Every fifth name has been there before. */
function smallFileName(index: number): string {
  const folder = folders[index % folders.length] ?? ''
  return index % 5 === 4 ? `${folder}again.txt` : `${folder}grüße-${index}.txt`
}

interface Archive {
  visitor: Client
  path: string
  /** Where it is saved. */
  file: string
  sizeBytes: number
  etag: string
  sha256: string
}

/** The tests of an archive of so much, around which the caller puts a `describe`. */
export function testLargeArchive(floe: FloeUnderTest, size: LargeShare): void {
  let scratch: string
  const archive = {} as Archive

  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'floe-archive-'))
    archive.file = join(scratch, 'all.zip')
    const owner = await signUp(floe)
    const shareId = await createShare(owner)
    await timed(`upload of ${size.smallFiles} files`, () => uploadMany(floe, owner, shareId, size))
    await timed('upload of the big file', () => uploadZeros(owner, shareId, size))
    await completeShare(owner, shareId)
    archive.visitor = createClient(floe.url)
    await openShare(archive.visitor, shareId)
    archive.path = archivePath(shareId)
  }, 600_000)
  afterAll(() => rm(scratch, { recursive: true, force: true }))

  testReads(archive, size)
  testRanges(archive)
}

function testReads(archive: Archive, size: LargeShare): void {
  test('is ready at once, and its length and tag are known without a byte', async () => {
    const { visitor, path } = archive
    const response = await visitor.send('HEAD', path)
    expect(response.status).toBe(200)
    archive.sizeBytes = Number(response.headers['content-length'])
    archive.etag = response.headers.etag ?? ''
    expect(archive.sizeBytes).toBeGreaterThan(size.bigFileBytes)
    expect(archive.etag).toMatch(/^"[^"]+"$/)
  })

  test('begins soon', async () => {
    const times: number[] = []
    for (let turn = 0; turn < 5; turn += 1) {
      const startedAt = performance.now()
      const response = await openBody(archive.visitor, archive.path)
      await once(response, 'readable')
      times.push(performance.now() - startedAt)
      response.destroy()
    }
    const [best = 0] = times.sort((a, b) => a - b)
    report(`first byte after ${times.map((time) => time.toFixed(0)).join(', ')} ms`)
    expect(best).toBeLessThan(FIRST_BYTE_MS)
  })

  test('has exactly the length it told', async () => {
    await timed('download', async () => {
      archive.sha256 = (
        await saveBody(await openBody(archive.visitor, archive.path), archive.file)
      ).sha256
    })
    expect((await stat(archive.file)).size).toBe(archive.sizeBytes)
  }, 600_000)

  test('is accepted by unzip, 7z and Python', async () => {
    await Promise.all([
      timed('unzip -t', () => expectAccepted('unzip', ['-tqq', archive.file])),
      timed('7z t', () => expectAccepted('7z', ['t', '-bso0', archive.file])),
      timed('zipfile', () =>
        expectAccepted('python3', [
          '-c',
          readWithPython,
          archive.file,
          String(size.smallFiles + 1),
        ]),
      ),
    ])
  }, 600_000)
}

function testRanges(archive: Archive): void {
  test('in two ranges is the same bytes as in one', async () => {
    const middle = Math.floor(archive.sizeBytes / 2) + 13
    const hash = createHash('sha256')
    await timed('two ranges', async () => {
      for (const range of [`bytes=0-${middle - 1}`, `bytes=${middle}-`]) {
        const response = await openBody(archive.visitor, archive.path, {
          Range: range,
          'If-Range': archive.etag,
        })
        expect(response.statusCode).toBe(206)
        for await (const chunk of response) hash.update(chunk as Buffer)
      }
    })
    expect(hash.digest('hex')).toBe(archive.sha256)
  }, 600_000)

  test('goes on only where it is still the same', async () => {
    const end = `bytes=${archive.sizeBytes - 22}-`
    const same = await openBody(archive.visitor, archive.path, {
      Range: end,
      'If-Range': archive.etag,
    })
    expect(same.statusCode).toBe(206)
    expect(same.headers['content-range']).toBe(
      `bytes ${archive.sizeBytes - 22}-${archive.sizeBytes - 1}/${archive.sizeBytes}`,
    )
    same.resume()
    const other = await openBody(archive.visitor, archive.path, {
      Range: end,
      'If-Range': '"another"',
    })
    expect(other.statusCode).toBe(200)
    expect(Number(other.headers['content-length'])).toBe(archive.sizeBytes)
    other.destroy()
  })
}

/** Sixteen connections, each file whole with its creation. */
async function uploadMany(
  { url }: FloeUnderTest,
  owner: Client,
  shareId: string,
  { smallFiles }: LargeShare,
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
  { bigFileBytes, requestBytes }: LargeShare,
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
