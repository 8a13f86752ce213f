import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, open, rm, truncate, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { HEALTH_READY_PATH } from '@floe/contracts'
import { type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signUp } from '../world/accounts.ts'
import { ownArrangements } from '../world/arrangements.ts'
import { archivePath, openBody } from '../world/archives.ts'
import { makeFailingDisk, mountItself, setReadOnly, unmount } from '../world/faulty-disk.ts'
import type { HttpResponse, Client } from '../world/http-client.ts'
import { findObject } from '../world/objects.ts'
import {
  codeOf,
  completeShare,
  createShare,
  openShare,
  publishShare,
  sendChunk,
} from '../world/shares.ts'
import { append, beginUpload, createUpload, offsetOf } from '../world/tus.ts'
import { verify } from '../world/verify.ts'

/** More than the buffers on its way hold. */
const longBytes = 48 * 2 ** 20

// Its disk fails on purpose: a Floe of its own.
describe.each(ownArrangements)('a disk that fails, %s', (arrangement) => {
  let floe: RunningFloe
  let owner: Client
  let objects: string
  beforeAll(async () => {
    floe = await startFloe({
      arrangement,
      environment: { FLOE_SPLIT_LOGS: 'yes' },
      prepare: async (dataDirectory) => {
        objects = join(dataDirectory, 'objects')
        await mkdir(objects)
        await mountItself(objects)
      },
    })
    owner = await signUp(floe)
  })
  afterAll(async () => {
    await unmount(objects)
    await floe?.stop()
  })

  async function publishLong(content: Buffer): Promise<{ shareId: string; path: string }> {
    const shareId = await createShare(owner)
    const upload = { shareId, filename: 'long.bin', lengthBytes: content.length }
    const sent = await append(owner, await beginUpload(owner, upload), 0, content)
    expect(sent.status, sent.text).toBe(204)
    await completeShare(owner, shareId)
    await openShare(owner, shareId)
    const { body } = await owner.send('GET', `/api/shares/${shareId}`)
    const [file] = (body as { files: { id: string }[] }).files
    return { shareId, path: `/api/shares/${shareId}/files/${file?.id}` }
  }

  const statusAt = async (path: string) => (await owner.send('GET', path)).status

  test('that turns read-only takes nothing, loses nothing, and is not missed once it is back', async () => {
    const kept = randomBytes(50_000)
    const { id, fileIds } = await publishShare(owner, { 'kept.bin': kept })
    const shareId = await createShare(owner)
    const content = randomBytes(300_000)
    const path = await beginUpload(owner, { shareId, filename: 'a.bin', lengthBytes: 300_000 })
    expect((await append(owner, path, 0, content.subarray(0, 100_000))).status).toBe(204)

    await setReadOnly(objects, true)
    try {
      expectOutage(await append(owner, path, 100_000, content.subarray(100_000)))
      expectOutage(
        await createUpload(owner, { shareId, filename: 'b', lengthBytes: 1, bytes: 'b' }),
      )
      expectOutage(await sendChunk(owner, shareId, { name: 'c.bin' }, randomBytes(100_000)))
      expect(await offsetOf(owner, path)).toBe(100_000)
      const file = await owner.send('GET', `/api/shares/${id}/files/${fileIds[0]}`)
      expect(file.bytes.equals(kept)).toBe(true)
      await expect.poll(() => statusAt(HEALTH_READY_PATH), { timeout: 10_000 }).toBe(503)
      // Nothing that a restart would help.
      expect(await statusAt('/api/health')).toBe(200)
    } finally {
      await setReadOnly(objects, false)
    }

    await expect.poll(() => statusAt(HEALTH_READY_PATH), { timeout: 10_000 }).toBe(200)
    expect((await append(owner, path, 100_000, content.subarray(100_000))).status).toBe(204)
    await completeShare(owner, shareId)
    const listing = await owner.send('GET', `/api/shares/${shareId}/from-owner`)
    const { files } = listing.body as { files: { id: string; name: string }[] }
    expect(files.map(({ name }) => name)).toEqual(['a.bin'])
    const whole = await owner.send('GET', `/api/shares/${shareId}/files/${files[0]?.id}`)
    expect(whole.bytes.equals(content)).toBe(true)
  })

  test('that cannot be read to the end ends the response short, the log says why, and all else goes on', async () => {
    const content = randomBytes(8 * 2 ** 20)
    const badFrom = content.length / 2
    const { shareId, path } = await publishLong(content)
    const backingFile = join(tmpdir(), `floe-failing-${shareId}`)
    const disk = await makeFailingDisk(backingFile, content, badFrom)
    const restore = await disk.replace(await findObject(floe.dataDirectory, content))
    try {
      const { bytes, isWhole } = await readToItsEnd(await openBody(owner, path))
      expect(isWhole).toBe(false)
      expect(bytes.length).toBeLessThanOrEqual(badFrom)
      expect(bytes.equals(content.subarray(0, bytes.length))).toBe(true)
      const archive = await readToItsEnd(await openBody(owner, archivePath(shareId)))
      expect(archive.isWhole).toBe(false)
      await expect.poll(() => floe.output(), { timeout: 10_000 }).toMatch(/EIO: i\/o error, read/)
      const beginning = await owner.send('GET', path, { headers: { Range: 'bytes=0-99' } })
      expect(beginning.bytes.equals(content.subarray(0, 100))).toBe(true)
    } finally {
      await restore()
      await disk.remove()
      await rm(backingFile)
    }
    const again = await owner.send('GET', path)
    expect(again.bytes.equals(content)).toBe(true)
  })

  test.each(['a file', 'an archive'])(
    'that loses the end of an object while %s is sent ends the response short',
    async (what) => {
      const content = randomBytes(longBytes)
      const { shareId, path } = await publishLong(content)
      const object = await findObject(floe.dataDirectory, content)
      const response = await openBody(owner, what === 'a file' ? path : archivePath(shareId))
      await once(response, 'readable')
      await truncate(object, longBytes - 100_000)
      const { bytes, isWhole } = await readToItsEnd(response)
      expect(isWhole).toBe(false)
      expect(bytes.length).toBeLessThan(longBytes)
      expect(await statusAt('/api/health')).toBe(200)
    },
  )

  test('that flips a bit is given away by the digest of the response, by the archive and by the check', async () => {
    const content = randomBytes(1_000_000)
    const { shareId, path } = await publishLong(content)
    await expect
      .poll(async () => (await owner.send('HEAD', path)).headers['repr-digest'], {
        timeout: 30_000,
      })
      .toBe(digestOf(content))
    const object = await open(await findObject(floe.dataDirectory, content), 'r+')
    await object.write(Buffer.from([content.readUInt8(777_777) ^ 1]), 0, 1, 777_777)
    await object.close()

    const { bytes } = await readToItsEnd(await openBody(owner, path))
    expect(digestOf(bytes)).not.toBe(digestOf(content))
    const file = join(tmpdir(), `${shareId}.zip`)
    await writeFile(file, (await readToItsEnd(await openBody(owner, archivePath(shareId)))).bytes)
    const unzipped = promisify(execFile)('unzip', ['-tqq', file])
    await expect(unzipped).rejects.toMatchObject({ stdout: expect.stringContaining('bad CRC') })
    await rm(file)
    const verdict = await verify(floe.dataDirectory, '--deep')
    expect(verdict.lines.join('\n')).toContain('long.bin')
  })
})

function expectOutage(response: HttpResponse): void {
  expect(response.status, response.text).toBe(502)
  expect(codeOf(response)).toBe('upstream_unavailable')
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
}

async function readToItsEnd(
  response: IncomingMessage,
): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const chunks: Buffer[] = []
  response.on('data', (chunk: Buffer) => chunks.push(chunk))
  await new Promise<void>((resolve) => response.once('close', () => resolve()))
  return { bytes: Buffer.concat(chunks), isWhole: response.complete }
}

const digestOf = (bytes: Buffer) =>
  `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`
