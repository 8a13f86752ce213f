import { AppError } from '@floe/errors'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../testing/file-world.ts'
import {
  createSegmentWorld,
  makeText,
  type SegmentWorld,
  watchNthWrite,
  watchObjects,
} from '../../testing/segment-world.ts'
import type { TestShare } from '../../testing/test-ports.ts'

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

describe('a worker', () => {
  /** Three steps at the size that progress is saved at. */
  const largeBytes = 150 * MiB

  async function progress(): Promise<number> {
    const [row] = await world.segmentRows(share)
    return row?.source_bytes ?? 0
  }

  test('that is told to stop keeps what it did, and another goes on from there', async () => {
    world.setLevel(1)
    await world.publish(share, { 'large.txt': makeText(largeBytes) })
    await world.buildUntil(share, 40)
    const saved = await progress()
    expect(saved).toBeGreaterThanOrEqual(78 * MiB)
    expect(saved).toBeLessThan(90 * MiB)
    expect((await world.segmentRows(share))[0]?.claim_holder).toBeNull()

    const { seen, wrapObjects } = watchObjects()
    const successor = await world.startReplica({ wrapObjects })
    await world.build(share, successor)
    expect(seen.readBytes).toBeLessThan(largeBytes - saved + MiB)
    expect(seen.written).toEqual([])
    expect(await world.unpack((await world.download(share)).bytes)).toEqual(
      new Map([['large.txt', { method: 8, sizeBytes: largeBytes }]]),
    )
    await successor.stop()
  }, 120_000)

  test('that is killed loses the step it was at, and nothing it had saved', async () => {
    world.setLevel(1)
    await world.publish(share, { 'large.txt': makeText(largeBytes) })
    let isStuck = false
    const doomed = watchNthWrite(50, () => {
      isStuck = true
      return new Promise(() => undefined)
    })
    const worker = await world.startReplica({ wrapObjects: doomed.wrapObjects })
    void world.build(share, worker).catch(() => undefined)
    await eventually(async () => isStuck, 60_000)
    expect(await progress()).toBe(64 * MiB)
    await world.build(share)
    expect(await progress(), 'a live claim is left alone').toBe(64 * MiB)

    await worker.kill()
    const { seen, wrapObjects } = watchObjects()
    const successor = await world.startReplica({ wrapObjects })
    await eventually(async () => {
      await world.build(share, successor)
      return (await world.segmentRows(share))[0]?.state === 'ready'
    }, 60_000)
    expect(seen.readBytes).toBeLessThan(largeBytes - 64 * MiB + MiB)
    expect((await world.unpack((await world.download(share)).bytes)).size).toBe(1)
    await successor.stop()
  }, 120_000)

  test('starts anew where the object it was to continue is gone', async () => {
    world.setLevel(1)
    await world.publish(share, { 'large.txt': makeText(30 * MiB) })
    await world.buildUntil(share, 5)
    expect(await progress()).toBeGreaterThan(0)
    await world.objects.remove(await world.segmentKeys(share))
    await world.build(share)
    expect((await world.unpack((await world.download(share)).bytes)).size).toBe(1)
  }, 60_000)

  test('never makes a segment that another makes at the same time', async () => {
    const small = Array.from({ length: 150 }, (_, index) => [`${index}.txt`, makeText(30_000)])
    await world.publish(share, { ...Object.fromEntries(small), 'large.txt': makeText(3 * MiB) })
    const watches = [watchObjects(), watchObjects(), watchObjects()]
    const workers = await Promise.all(
      watches.map(({ wrapObjects }) => world.startReplica({ wrapObjects })),
    )
    await Promise.all(workers.map((worker) => world.build(share, worker)))
    const written = watches.flatMap(({ seen }) => seen.written)
    expect(new Set(written).size).toBe(written.length)
    expect(written).toHaveLength(151)
    expect((await world.unpack((await world.download(share)).bytes)).size).toBe(151)
    await Promise.all(workers.map((worker) => worker.stop()))
  })

  test('takes along what other shares ask for meanwhile, the smaller first', async () => {
    world.setLevel(1)
    const [large, small] = [share, world.ports.addShare()]
    await world.publish(large, { 'large.txt': makeText(largeBytes) })
    await world.publish(small, { 'small.txt': makeText(10_000) })
    const { hooks, wrapObjects } = watchObjects()
    const worker = await world.startReplica({ wrapObjects })
    let isAsked: Promise<void> | undefined
    let readyFirst: string | undefined
    hooks.beforeWrite = async () => {
      isAsked ??= world.build(small, worker)
      for (const [name, each] of Object.entries({ large, small })) {
        const [row] = await world.segmentRows(each)
        if (row?.state === 'ready') readyFirst ??= name
      }
    }
    await world.build(large, worker)
    await isAsked
    expect(readyFirst).toBe('small')
    for (const each of [large, small]) {
      expect((await world.segmentRows(each)).map(({ state }) => state)).toEqual(['ready'])
    }
    await worker.stop()
  }, 60_000)

  test('fails for a file it cannot read, after the others are made', async () => {
    await world.publish(share, { 'a.txt': makeText(10_000), 'b.txt': makeText(20_000) })
    const [, second] = await world.database
      .knex('files')
      .where({ share_uid: share.uid })
      .orderBy('name')
    const worker = await world.startReplica({
      wrapObjects: (objects) => ({
        ...objects,
        openReader: (key, span) =>
          key === second.object_key
            ? Promise.reject(new AppError('internal', { detail: 'disk trouble' }))
            : objects.openReader(key, span),
      }),
    })
    await expect(world.build(share, worker)).rejects.toMatchObject({ code: 'internal' })
    expect((await world.segmentRows(share)).map(({ state }) => state).sort()).toEqual([
      'building',
      'ready',
    ])
    await worker.stop()
    await world.build(share)
    expect((await world.download(share)).status).toBe(200)
  })
})
