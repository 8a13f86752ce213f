import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { newObjectKey, newObjectKeys, type ObjectKey, type ObjectStore } from '../object-store.ts'
import { expectCode, readObject, type StoreUnderTest } from './store-under-test.ts'

export function describeInventory(subject: () => StoreUnderTest) {
  describe('inventory', () => {
    let store: ObjectStore

    beforeAll(() => {
      store = subject().store
    })

    test('lists every object with its size', async () => {
      const expected = new Map(Array.from({ length: 70 }, (_, n) => [newObjectKey(), n]))
      for (const [key, size] of expected) await store.putSmall(key, [Buffer.alloc(size)])
      const found = new Map<ObjectKey, number>()
      for await (const { key, sizeBytes } of store.list()) found.set(key, sizeBytes)
      for (const [key, size] of expected) expect(found.get(key)).toBe(size)
      const [gone] = expected.keys()
      await store.remove(gone === undefined ? [] : [gone])
      for await (const { key } of store.list()) expect(key).not.toBe(gone)
    })

    test('tells the free space, or that it has no such notion', async () => {
      const free = await store.freeBytes()
      expect(free === null || free > 0).toBe(true)
    })

    test('tells how much of its disk is in use, or that it has none', async () => {
      const disk = await store.measureDisk()
      if (disk === null) return
      expect(disk.usedBytes).toBeGreaterThan(0)
      expect(disk.totalBytes).toBeGreaterThanOrEqual(disk.usedBytes)
    })
  })
}

export function describeFullStorage(subject: () => StoreUnderTest) {
  describe('a full storage', () => {
    test('reports a full storage as such, keeps the synced bytes and can go on once there is space', async () => {
      const small = subject().small
      if (small === undefined) return
      const ballast = newObjectKey()
      await small.store.putSmall(ballast, [Buffer.alloc(Math.floor(small.capacityBytes / 2))])
      const key = newObjectKey()
      await small.store.create(key)
      const writer = await small.store.openWriter(key, { offsetBytes: 0 })
      await writer.write([Buffer.from('synced')])
      await writer.flush({ maxLagBytes: 0 })
      const tooMuch = randomBytes(small.capacityBytes)
      await expectCode(writer.write([tooMuch]), 'storage_full')
      await expectCode(writer.flush({ maxLagBytes: 0 }), 'internal')
      await writer.close()
      await expectCode(small.store.putSmall(newObjectKey(), [tooMuch]), 'storage_full')
      const many = newObjectKeys(2).map((objectKey) => ({
        objectKey,
        bytes: tooMuch,
        crc32: crc32(tooMuch),
      }))
      await expectCode(small.store.putMany(many), 'storage_full')

      await small.store.remove([ballast])
      const next = await small.store.openWriter(key, { offsetBytes: 6 })
      const rest = tooMuch.subarray(0, Math.floor(small.capacityBytes / 4))
      await next.write([rest])
      await next.finish()
      await next.close()
      expect(await readObject(small.store, key)).toEqual(
        Buffer.concat([Buffer.from('synced'), rest]),
      )
    })
  })
}
