import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { newObjectKey, type ObjectStore } from '../object-store.ts'
import { expectCode, readObject, type StoreUnderTest } from './store-under-test.ts'

export function describeContinuing(subject: () => StoreUnderTest) {
  describe('continuing', () => {
    let store: ObjectStore

    beforeAll(() => {
      store = subject().store
    })

    test('continues synced bytes after a restart', async () => {
      const key = newObjectKey()
      const bytes = randomBytes(50_000)
      await store.create(key)
      const first = await store.openWriter(key, { offsetBytes: 0 })
      await first.write([bytes.subarray(0, 20_000)])
      await first.sync()
      await first.close()

      const restarted = await subject().reopen()
      expect(await restarted.storedBytes(key)).toBe(20_000)
      const second = await restarted.openWriter(key, { offsetBytes: 20_000 })
      await second.write([bytes.subarray(20_000)])
      await second.finish()
      await second.close()
      expect(await readObject(store, key)).toEqual(bytes)
    })

    test('continues bytes that were kept when their process ended', async () => {
      const key = newObjectKey()
      const bytes = randomBytes(30_000)
      await store.create(key)
      const first = await store.openWriter(key, { offsetBytes: 0 })
      await first.write([bytes.subarray(0, 10_000)])
      const isSynced = await first.keep()

      const restarted = await subject().reopen()
      expect(await restarted.storedBytes(key)).toBe(10_000)
      const synced = await restarted.syncedEnd(key)
      const end = { offsetBytes: 10_000, crc32: crc32(bytes.subarray(0, 10_000)) }
      expect(synced).toEqual(isSynced ? end : null)
      const second = await restarted.openWriter(key, { offsetBytes: 10_000 })
      await second.write([bytes.subarray(10_000)])
      expect([undefined, crc32(bytes)]).toContain(second.crc32)
      await second.finish()
      await second.close()
      await first.close()
      expect(await readObject(store, key)).toEqual(bytes)
    })

    test('discards bytes past the offset it continues at', async () => {
      const key = newObjectKey()
      await store.create(key)
      const first = await store.openWriter(key, { offsetBytes: 0 })
      await first.write([Buffer.from('kept and discarded')])
      await first.sync()
      await first.close()
      const second = await store.openWriter(key, { offsetBytes: 4 })
      expect(await store.storedBytes(key)).toBe(4)
      await second.write([Buffer.from('!')])
      await second.finish()
      await second.close()
      expect(String(await readObject(store, key))).toBe('kept!')
    })
  })
}

export function describeEnding(subject: () => StoreUnderTest) {
  describe('ending', () => {
    let store: ObjectStore

    beforeAll(() => {
      store = subject().store
    })

    test('refuses to continue past what is stored', async () => {
      const key = newObjectKey()
      await store.create(key)
      const opening = store.openWriter(key, { offsetBytes: 1 })
      await expectCode(opening, 'upload_offset_conflict')
    })

    test('finishes an object whose last writer ended before it could', async () => {
      const key = newObjectKey()
      await store.create(key)
      const first = await store.openWriter(key, { offsetBytes: 0 })
      await first.write([Buffer.from('complete')])
      await first.sync()
      await first.close()
      const second = await store.openWriter(key, { offsetBytes: 8 })
      await second.finish()
      await second.finish()
      await second.close()
      await second.close()
      expect(String(await readObject(store, key))).toBe('complete')
    })

    test('refuses writes through a closed writer', async () => {
      const key = newObjectKey()
      await store.create(key)
      const writer = await store.openWriter(key, { offsetBytes: 0 })
      await writer.close()
      await expectCode(writer.write([Buffer.from('late')]), 'internal')
    })
  })
}
