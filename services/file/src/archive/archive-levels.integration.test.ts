import { AppError } from '@floe/errors'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeBytes } from '../testing/file-world.ts'
import {
  createSegmentWorld,
  makeText,
  type SegmentWorld,
  watchObjects,
} from '../testing/segment-world.ts'
import type { TestShare } from '../testing/test-ports.ts'

const MiB = 1024 * 1024

let world: SegmentWorld
let share: TestShare

beforeAll(async () => {
  world = await createSegmentWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  share = world.ports.addShare()
  world.setLevel(6)
})
afterEach(() => world.forgetWork())

describe('while segments are missing', () => {
  test('Download all responds with 503 and a time to come again, and asks the worker once', async () => {
    await world.publish(share, {
      'a.txt': makeText(10_000),
    })
    for (const method of ['GET', 'HEAD', 'GET']) {
      const response = await world.download(share, { method })
      expect(response.status).toBe(503)
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(response.headers.get('x-error-code')).toBe('archive_not_ready')
    }
    const asked = () =>
      world.database
        .knex('outbox')
        .where({ name: 'archive.requested' })
        .whereRaw(`payload->>'shareUid' = ?`, [share.uid])
    expect(await asked()).toHaveLength(1)
    world.pass(60_000)
    await world.download(share)
    expect(await asked()).toHaveLength(2)
    await world.build(share)
    expect((await world.download(share)).status).toBe(200)
  })

  test('nothing is asked for or made at level 0', async () => {
    world.setLevel(0)
    await world.publish(share, {
      'a.txt': makeText(10_000),
    })
    await world.build(share)
    expect((await world.download(share)).status).toBe(200)
    expect(await world.segmentRows(share)).toEqual([])
    const events = await world.database.knex('outbox').where({ name: 'archive.requested' })
    expect(events).toEqual([])
  })
})

describe('an archive of segments', () => {
  test.each([1, 6, 9])('at level %i holds every file, deflated where that helps', async (level) => {
    world.setLevel(level)
    await world.publish(share, {
      'größe/text.txt': makeText(300_000),
      'random.bin': makeBytes(300_000),
      empty: Buffer.alloc(0),
      'large.txt': makeText(3 * MiB + 17),
      'large.bin': makeBytes(3 * MiB),
    })
    await world.build(share)
    const response = await world.download(share)
    expect(response.status).toBe(200)
    expect(Number(response.headers.get('content-length'))).toBe(response.bytes.length)
    expect(response.bytes.length).toBeLessThan(4.5 * MiB)
    expect(Object.fromEntries(await world.unpack(response.bytes))).toEqual({
      'größe/text.txt': { method: 8, sizeBytes: 300_000 },
      'random.bin': { method: 0, sizeBytes: 300_000 },
      empty: { method: 0, sizeBytes: 0 },
      'large.txt': { method: 8, sizeBytes: 3 * MiB + 17 },
      'large.bin': { method: 0, sizeBytes: 3 * MiB },
    })
    expect(await world.segmentKeys(share)).toHaveLength(2)
  })

  test('is read in any range, inside deflated content too, and told of by HEAD', async () => {
    await world.publish(share, {
      'a.txt': makeText(50_000),
      'b.txt': makeText(2 * MiB),
    })
    await world.build(share)
    const whole = await world.download(share)
    const length = whole.bytes.length
    const etag = whole.headers.get('etag') ?? ''
    for (const [start, end] of [
      [0, 0],
      [100, 5_000],
      [length - 30, length - 1],
      [57, length - 1],
    ] as const) {
      const part = await world.download(share, {
        headers: { Range: `bytes=${start}-${end}`, 'If-Range': etag },
      })
      expect(part.status).toBe(206)
      expect(part.headers.get('content-range')).toBe(`bytes ${start}-${end}/${length}`)
      expect(part.bytes.equals(whole.bytes.subarray(start, end + 1))).toBe(true)
    }
    const head = await world.download(share, { method: 'HEAD' })
    expect([head.headers.get('content-length'), head.headers.get('etag')]).toEqual([
      String(length),
      etag,
    ])
    const other = await world.download(share, {
      headers: { Range: 'bytes=5-', 'If-Range': '"another"' },
    })
    expect([other.status, other.bytes.length]).toEqual([200, length])
    expect((await world.download(share, { headers: { 'If-None-Match': etag } })).status).toBe(304)
  })

  test('costs one segment more for one file more', async () => {
    for (let index = 0; index < 40; index += 1)
      await world.addFile(share, `${index}.txt`, makeText(3_000))
    world.ports.complete(share)
    await world.build(share)
    const before = await world.segmentKeys(share)
    const archiveBefore = await world.download(share)
    share.state = 'open'
    await world.addFile(share, 'one more.txt', makeText(3_000))
    await world.build(share)
    expect(await world.segmentKeys(share), 'nothing before it is published').toEqual(before)
    expect((await world.download(share)).bytes.equals(archiveBefore.bytes)).toBe(true)

    world.ports.complete(share)
    expect((await world.download(share)).status).toBe(503)
    const { seen, wrapObjects } = watchObjects()
    const worker = await world.startReplica({ wrapObjects })
    await world.build(share, worker)
    await worker.stop()
    expect(seen.written).toHaveLength(1)
    expect(await world.segmentKeys(share)).toEqual([...before, ...seen.written].sort())
    expect((await world.unpack((await world.download(share)).bytes)).size).toBe(41)
  })

  test('stays as it is while the setting changes, until the next edition takes it', async () => {
    world.setLevel(1)
    await world.publish(share, { 'a.txt': makeText(100_000), 'b.txt': makeText(20_000) })
    await world.build(share)
    const fast = await world.download(share)
    const etag = fast.headers.get('etag')
    const half = Math.floor(fast.bytes.length / 2)
    for (const level of [9, 0]) {
      world.setLevel(level)
      await world.build(share)
      // As `curl -C -` and `wget -c` resume: nothing says which archive the first half was of.
      const rest = await world.download(share, { headers: { Range: `bytes=${half}-` } })
      expect(rest.status).toBe(206)
      expect(rest.headers.get('etag')).toBe(etag)
      const whole = Buffer.concat([fast.bytes.subarray(0, half), rest.bytes])
      expect(whole.equals(fast.bytes)).toBe(true)
      expect((await world.unpack(whole)).size).toBe(2)
    }
    expect(new Set((await world.segmentRows(share)).map(({ level }) => level))).toEqual(
      new Set([1]),
    )

    world.ports.complete(share)
    const plain = await world.download(share)
    expect(plain.bytes.length).toBeGreaterThan(120_000)
    world.setLevel(9)
    expect((await world.download(share)).headers.get('etag')).toBe(plain.headers.get('etag'))
    world.ports.complete(share)
    expect((await world.download(share)).status).toBe(503)
    await world.build(share)
    const best = await world.download(share)
    expect(best.bytes.length).toBeLessThan(fast.bytes.length)
    expect(best.headers.get('etag')).not.toBe(etag)
  })

  test('takes a file whose object is damaged or gone as it is', async () => {
    await world.publish(share, {
      'damaged.txt': makeText(20_000),
      'large damaged.txt': makeText(2 * MiB),
      'gone.txt': makeText(20_000),
    })
    const rows = await world.database
      .knex('files')
      .where({ share_uid: share.uid })
      .orderBy('name')
      .select('object_key')
    for (const row of [rows[0], rows[2]]) {
      const writer = await world.objects.openWriter(row.object_key, { offsetBytes: 10 })
      const rest = row === rows[0] ? 20_000 : 2 * MiB
      await writer.write([makeText(rest - 10)])
      await writer.close()
    }
    await world.objects.remove([rows[1].object_key])
    await world.build(share)
    const segments = await world.segmentRows(share)
    expect(segments).toHaveLength(3)
    expect(segments.every((row) => row.state === 'ready' && row.object_key === null)).toBe(true)
    expect((await world.download(share, { method: 'HEAD' })).status).toBe(200)
  })

  test('is made without compression where there is no space for it', async () => {
    await world.publish(share, {
      'small.txt': makeText(20_000),
      'large.txt': makeText(5 * MiB),
    })
    const before = await world.storedKeys()
    const { hooks, wrapObjects } = watchObjects()
    hooks.beforeWrite = () => Promise.reject(new AppError('storage_full'))
    const worker = await world.startReplica({ wrapObjects })
    await world.build(share, worker)
    await worker.stop()
    const entries = await world.unpack((await world.download(share)).bytes)
    expect([...entries.values()].map(({ method }) => method)).toEqual([0, 0])
    expect(await world.storedKeys()).toEqual(before)
  })
})

test('the status tells how far the archive is', async () => {
  world.setLevel(1)
  await world.addFile(share, 'large.txt', makeText(100 * MiB))
  await world.addFile(share, 'small.txt', makeText(MiB))
  world.ports.complete(share)
  const grant = await world.grantOf(share)
  const told: (number | undefined)[] = []
  const { hooks, wrapObjects } = watchObjects()
  const worker = await world.startReplica({ wrapObjects })
  hooks.beforeWrite = async () => {
    told.push((await worker.files.archiveStatus({ grant })).progress)
  }
  expect(await worker.files.archiveStatus({ grant })).toEqual({ isReady: false, progress: 0 })
  await world.build(share, worker)
  expect(told).toEqual(told.toSorted((a = 0, b = 0) => a - b))
  expect(told.at(-1)).toBeCloseTo(65 / 101, 5)
  expect(await worker.files.archiveStatus({ grant })).toEqual({ isReady: true })
  await worker.stop()
}, 60_000)
