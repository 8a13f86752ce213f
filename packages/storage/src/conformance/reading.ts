import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { newObjectKey, type ObjectStore } from '../object-store.ts'
import { type StoreUnderTest } from './store-under-test.ts'

export function describeReading(subject: () => StoreUnderTest) {
  describe('reading', () => {
    let store: ObjectStore

    beforeAll(() => {
      store = subject().store
    })

    test('reads any span at any position', async () => {
      const key = newObjectKey()
      const bytes = randomBytes(10_000)
      await store.putSmall(key, [bytes])
      const reader = await store.openReader(key)
      const buffer = Buffer.alloc(100)
      for (const position of [9_900, 0, 4_321, 1]) {
        expect(await reader.read(buffer, position)).toBe(100)
        expect(buffer).toEqual(bytes.subarray(position, position + 100))
      }
      await reader.close()
    })

    test('reads within an announced span', async () => {
      const key = newObjectKey()
      const bytes = randomBytes(10_000)
      await store.putSmall(key, [bytes])
      const reader = await store.openReader(key, { start: 1_000, end: 9_000 })
      const buffer = Buffer.alloc(4_000)
      expect(await reader.read(buffer, 1_000)).toBe(4_000)
      expect(buffer).toEqual(bytes.subarray(1_000, 5_000))
      expect(await reader.read(buffer, 5_000)).toBe(4_000)
      expect(buffer).toEqual(bytes.subarray(5_000, 9_000))
      await reader.close()
    })

    test('hands no object off while nobody else is known who could send it', async () => {
      const key = newObjectKey()
      await store.putSmall(key, [Buffer.from('x')])
      const headers = { contentType: 'text/plain', contentDisposition: 'attachment' }
      expect(await store.handOff(key, headers)).toBeNull()
    })

    test('stops at the end and yields nothing past it', async () => {
      const key = newObjectKey()
      await store.putSmall(key, [Buffer.from('0123456789')])
      const reader = await store.openReader(key)
      const buffer = Buffer.alloc(8)
      expect(await reader.read(buffer, 6)).toBe(4)
      expect(String(buffer.subarray(0, 4))).toBe('6789')
      expect(await reader.read(buffer, 10)).toBe(0)
      expect(await reader.read(buffer, 5 * 2 ** 30)).toBe(0)
      await reader.close()
      await reader.close()
    })
  })
}
