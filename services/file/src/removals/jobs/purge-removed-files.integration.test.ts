import type { ObjectStore } from '@floe/storage'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createEditedShare, type EditedShare } from '../../testing/edited-share.ts'
import { createFileWorld, type FileWorld, type Replica } from '../../testing/file-world.ts'

let world: FileWorld
let replica: Replica
let edited: EditedShare

beforeAll(async () => {
  world = await createFileWorld()
  replica = await world.startReplica()
})
afterAll(() => world.close())
beforeEach(() => {
  edited = createEditedShare(world, replica)
})
afterEach(async () => {
  expect(await world.findMiscounts()).toEqual([])
  world.clock.now = new Date()
})

const HOUR_MS = 3_600_000
const pass = (ms: number) => {
  world.clock.now = new Date(world.clock.now.getTime() + ms)
}
const purge = () => replica.runJob('purge-removed-files')

describe('purging', () => {
  const setup = async () => {
    const kept = await edited.addFile('kept.bin')
    const removed = await edited.addFile('removed.bin')
    await edited.complete()
    edited.reopen()
    await edited.removeFile(removed)
    return { kept, removed }
  }

  test('takes rows and objects of removed files an hour after the publication', async () => {
    const { kept } = await setup()
    await edited.complete()
    await purge()
    pass(HOUR_MS - 1)
    await purge()
    expect(await edited.files()).toHaveLength(2)
    expect((await edited.objectKeys()).size).toBe(2)
    pass(1)
    await purge()
    expect(await edited.files()).toEqual([{ name: 'kept.bin', added: 1, removed: null }])
    expect((await edited.objectKeys()).size).toBe(1)
    expect(await edited.statusOf(kept)).toBe(200)
    await replica.runJob('reconcile-objects')
    expect((await edited.objectKeys()).size).toBe(1)
  })

  test('takes nothing of an edit that is not published, however long it lasts', async () => {
    const { removed } = await setup()
    const before = await edited.downloadArchive()
    for (let day = 0; day < 30; day += 1) {
      pass(24 * HOUR_MS)
      await purge()
    }
    await replica.runJob('expire-uploads')
    await replica.runJob('reconcile-objects')
    expect(await edited.statusOf(removed)).toBe(200)
    expect(await edited.downloadArchive()).toEqual(before)
  })

  test('takes nothing that a later edit removes, before that one is published', async () => {
    const { kept } = await setup()
    await edited.addFile('another.bin')
    await edited.complete()
    edited.reopen()
    await edited.removeFile(kept)
    await purge()
    pass(HOUR_MS)
    await purge()
    expect(await edited.files()).toEqual([
      { name: 'another.bin', added: 2, removed: null },
      { name: 'kept.bin', added: 1, removed: 3 },
    ])
    expect(await edited.statusOf(kept)).toBe(200)
  })

  test('is finished by the next run after dying between objects and rows', async () => {
    await setup()
    await edited.complete()
    await purge()
    pass(HOUR_MS)
    const dying = await world.startReplica({
      wrapObjects: (objects: ObjectStore) => ({
        ...objects,
        remove: async (keys) => {
          await objects.remove(keys)
          throw new Error('killed')
        },
      }),
    })
    await expect(dying.runJob('purge-removed-files')).rejects.toThrow('killed')
    expect(await edited.files()).toHaveLength(2)
    expect(await world.findMiscounts()).toEqual([])
    await purge()
    expect(await edited.files()).toHaveLength(1)
  })

  test('leaves nothing of a share that was deleted first', async () => {
    await setup()
    await edited.complete()
    await purge()
    edited.share.state = 'gone'
    const before = await edited.objectKeys()
    expect(before.size).toBe(2)
    await replica.runJob('delete-share-files', { shareUid: edited.share.uid })
    pass(HOUR_MS)
    await purge()
    expect(await edited.files()).toEqual([])
    const left: string[] = []
    for await (const { key } of world.objects.list()) if (before.has(key)) left.push(key)
    expect(left).toEqual([])
  })
})
