import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ownerHeaders } from '../../testing/file-world.ts'
import {
  createSegmentWorld,
  makeText,
  type SegmentWorld,
  watchNthWrite,
} from '../../testing/segment-world.ts'
import type { TestShare } from '../../testing/test-ports.ts'

const MiB = 1024 * 1024
const HOUR_MS = 3_600_000

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

async function removeOneFile(): Promise<void> {
  const [{ id }] = await world.database.knex('files').where({ share_uid: share.uid }).limit(1)
  const path = `/api/shares/${share.id}/files/${id}`
  const { status } = await world.replica.send('DELETE', path, { headers: ownerHeaders(share) })
  expect(status).toBe(200)
}

describe('segments that are no longer needed', () => {
  test('go with their file and their share', async () => {
    const before = await world.storedKeys()
    await world.publish(share, { 'a.txt': makeText(10_000), 'b.txt': makeText(10_000) })
    await world.build(share)
    expect((await world.storedKeys()).size).toBe(before.size + 4)
    share.state = 'open'
    await removeOneFile()
    world.ports.complete(share)
    await world.replica.runJob('purge-removed-files')
    world.pass(HOUR_MS + 1)
    await world.replica.runJob('purge-removed-files')
    expect((await world.storedKeys()).size).toBe(before.size + 2)
    expect((await world.unpack((await world.download(share)).bytes)).size).toBe(1)
    await world.replica.runJob('delete-share-files', { shareUid: share.uid })
    expect(await world.storedKeys()).toEqual(before)
    expect(await world.segmentRows(share)).toEqual([])
  })

  test('of a file removed before it was published go at once', async () => {
    const before = await world.storedKeys()
    await world.publish(share, { 'a.txt': makeText(10_000) })
    await world.build(share)
    share.edition = 0
    share.state = 'open'
    await removeOneFile()
    expect(await world.storedKeys()).toEqual(before)
  })

  test('of another level go an hour after an edition has left it, and not by the setting', async () => {
    world.setLevel(1)
    await world.publish(share, { 'a.txt': makeText(10_000) })
    await world.build(share)
    const [old = ''] = await world.segmentKeys(share)
    const levels = async () => (await world.segmentRows(share)).map(({ level }) => level).sort()
    const reconcileHourly = async (hours: number) => {
      for (let hour = 0; hour < hours; hour += 1) {
        await world.replica.runJob('reconcile-objects')
        world.pass(HOUR_MS + 1)
      }
    }
    const publishAt = (level: number) => {
      world.setLevel(level)
      world.ports.complete(share)
    }
    world.setLevel(6)
    await reconcileHourly(3)
    expect(await levels()).toEqual([1])
    expect((await world.download(share)).status).toBe(200)
    publishAt(6)
    await world.build(share)
    await world.replica.runJob('reconcile-objects')
    expect(await levels()).toEqual([1, 6])
    world.pass(HOUR_MS + 1)
    await world.replica.runJob('reconcile-objects')
    expect(await levels()).toEqual([6])
    expect(await world.storedKeys()).not.toContain(old)
    expect((await world.download(share)).status).toBe(200)

    publishAt(0)
    await world.replica.runJob('reconcile-objects')
    publishAt(6)
    await reconcileHourly(3)
    expect(await levels(), 'the level came back').toEqual([6])
    publishAt(0)
    await reconcileHourly(2)
    expect(await levels()).toEqual([])
  })

  test('are not worked on any more once an edition has left their level', async () => {
    world.setLevel(1)
    await world.publish(share, { 'large.txt': makeText(30 * MiB) })
    await world.buildUntil(share, 5)
    world.setLevel(6)
    world.ports.complete(share)
    await world.build(share)
    const rows = await world.segmentRows(share)
    expect(rows.map(({ level, state }) => `${level} ${state}`).sort()).toEqual([
      '1 building',
      '6 ready',
    ])
    expect((await world.unpack((await world.download(share)).bytes)).size).toBe(1)
  }, 60_000)

  test('are made again where their object was lost', async () => {
    await world.publish(share, { 'a.txt': makeText(10_000) })
    await world.build(share)
    await world.objects.remove(await world.segmentKeys(share))
    await world.replica.runJob('reconcile-objects')
    expect((await world.download(share)).status).toBe(503)
    await world.build(share)
    expect((await world.unpack((await world.download(share)).bytes)).size).toBe(1)
  })

  test('are known to the reconciliation while they are being made', async () => {
    world.setLevel(1)
    await world.publish(share, { 'large.txt': makeText(70 * MiB) })
    await world.buildUntil(share, 5)
    await world.replica.runJob('reconcile-objects')
    const [row] = await world.segmentRows(share)
    expect(row?.source_bytes).toBeGreaterThan(0)
    expect(await world.storedKeys()).toContain(row?.object_key)
  }, 60_000)

  test('of a share deleted while they are made leave nothing behind', async () => {
    const before = await world.storedKeys()
    world.setLevel(1)
    await world.publish(share, { 'large.txt': makeText(70 * MiB) })
    const { wrapObjects } = watchNthWrite(2, () =>
      world.replica.runJob('delete-share-files', { shareUid: share.uid }),
    )
    const worker = await world.startReplica({ wrapObjects })
    await world.build(share, worker)
    await world.replica.runJob('reconcile-objects')
    expect(await world.storedKeys()).toEqual(before)
    await worker.stop()
  }, 60_000)
})
