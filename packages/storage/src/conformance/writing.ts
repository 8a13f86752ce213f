import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { newObjectKey, newObjectKeys, type ObjectStore } from '../object-store.ts'
import { expectCode, readObject, type StoreUnderTest, writeObject } from './store-under-test.ts'

export function describeWriting(subject: () => StoreUnderTest) {
  describe('writing', () => {
    let store: ObjectStore

    beforeAll(() => {
      store = subject().store
    })

    test('gives back what was written in one batch', async () => {
      const key = newObjectKey()
      const bytes = randomBytes(100_000)
      await writeObject(store, key, [bytes.subarray(0, 7), bytes.subarray(7)])
      expect(await readObject(store, key)).toEqual(bytes)
      expect(await store.storedBytes(key)).toBe(bytes.length)
    })

    test('takes more chunks in one batch than the system takes in one call', async () => {
      const key = newObjectKey()
      const bytes = randomBytes(5000 * 3)
      const chunks = Array.from({ length: 5000 }, (_, n) => bytes.subarray(n * 3, n * 3 + 3))
      await writeObject(store, key, chunks)
      expect(await readObject(store, key)).toEqual(bytes)
    })

    test('appends batch after batch and allows the chunks to be reused', async () => {
      const key = newObjectKey()
      await store.create(key)
      const writer = await store.openWriter(key, { offsetBytes: 0 })
      const chunk = Buffer.alloc(1000)
      for (let value = 0; value < 10; value += 1) {
        chunk.fill(value)
        await writer.write([chunk])
      }
      chunk.fill(0xff)
      await writer.finish()
      await writer.close()
      const stored = await readObject(store, key)
      expect([...new Set(stored)]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
      expect(stored.length).toBe(10_000)
    })

    test('stores an empty object', async () => {
      const key = newObjectKey()
      await writeObject(store, key, [])
      expect(await store.storedBytes(key)).toBe(0)
      expect(await readObject(store, key)).toEqual(Buffer.alloc(0))
    })

    test('ignores empty chunks', async () => {
      const key = newObjectKey()
      const empty = Buffer.alloc(0)
      await writeObject(store, key, [empty, Buffer.from('a'), empty, Buffer.from('b'), empty])
      expect(String(await readObject(store, key))).toBe('ab')
    })
  })
}

export function describeBeginning(subject: () => StoreUnderTest) {
  describe('beginning', () => {
    let store: ObjectStore

    beforeAll(() => {
      store = subject().store
    })

    test('puts a small object in one call', async () => {
      const key = newObjectKey()
      await store.putSmall(key, [Buffer.from('small '), Buffer.from('object')])
      expect(String(await readObject(await subject().reopen(), key))).toBe('small object')
    })

    test('puts an empty object in one call', async () => {
      const key = newObjectKey()
      await store.putSmall(key, [])
      expect(await store.storedBytes(key)).toBe(0)
    })

    const wholes = (count: number) =>
      newObjectKeys(count).map((objectKey, index) => {
        const bytes = randomBytes(index * 50)
        return { objectKey, bytes, crc32: crc32(bytes) }
      })

    test('puts many small objects in one call', async () => {
      const objects = wholes(300)
      await store.putMany(objects)
      const reopened = await subject().reopen()
      for (const { objectKey, bytes } of objects) {
        expect(await readObject(reopened, objectKey)).toEqual(bytes)
      }
      await store.putMany([])
    })

    test('puts none of many when the key of one is in use, and leaves that one as it is', async () => {
      const objects = wholes(40)
      const [used] = objects
      await store.putSmall(used?.objectKey ?? '', [Buffer.from('first')])
      await expectCode(store.putMany(objects), 'internal')
      expect(String(await readObject(store, used?.objectKey ?? ''))).toBe('first')
      for (const { objectKey } of objects.slice(1)) {
        expect(await store.storedBytes(objectKey)).toBeNull()
      }
    })

    test('refuses to begin an object under a key in use', async () => {
      const key = newObjectKey()
      await store.putSmall(key, [Buffer.from('first')])
      await expectCode(store.create(key), 'internal')
      await expectCode(store.putSmall(key, [Buffer.from('second')]), 'internal')
      expect(String(await readObject(store, key))).toBe('first')
    })

    test('keeps objects written at the same time apart', async () => {
      const objects = Array.from({ length: 40 }, (_, n) => ({
        key: newObjectKey(),
        bytes: randomBytes(n * 500),
      }))
      await Promise.all(objects.map(({ key, bytes }) => writeObject(store, key, [bytes])))
      for (const { key, bytes } of objects) expect(await readObject(store, key)).toEqual(bytes)
    })
  })
}
