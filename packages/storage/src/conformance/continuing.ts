import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { beginning, newObjectKey, type ObjectStore } from '../object-store.ts'
import {
  expectCode,
  positionIn,
  readObject,
  type StoreUnderTest,
  unknownEnd,
} from './store-under-test.ts'

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
      const first = await store.openWriter(key, beginning)
      await first.write([bytes.subarray(0, 20_000)])
      await first.flush({ maxLagBytes: 0 })
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
      const first = await store.openWriter(key, beginning)
      await first.write([bytes.subarray(0, 10_000)])
      const flushed = await first.keep()
      expect([0, 10_000]).toContain(flushed.offsetBytes)

      const restarted = await subject().reopen()
      const end = positionIn(bytes, 10_000)
      expect(await restarted.recover(key, unknownEnd)).toEqual(end)
      const second = await restarted.openWriter(key, end)
      await second.write([bytes.subarray(10_000)])
      expect(second.position).toEqual(positionIn(bytes, 30_000))
      await second.finish()
      await second.close()
      await first.close()
      expect(await readObject(store, key)).toEqual(bytes)
    })

    test('discards bytes past the offset it continues at', async () => {
      const key = newObjectKey()
      await store.create(key)
      const first = await store.openWriter(key, beginning)
      await first.write([Buffer.from('kept and discarded')])
      await first.flush({ maxLagBytes: 0 })
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

export function describeRecovering(subject: () => StoreUnderTest) {
  describe('recovering', () => {
    let store: ObjectStore
    const bytes = randomBytes(40_000)

    beforeAll(() => {
      store = subject().store
    })

    /** An object whose writer flushed 10 000 bytes, kept 20 000 and died amid the rest. */
    async function makeInterrupted() {
      const key = newObjectKey()
      await store.create(key)
      const writer = await store.openWriter(key, beginning)
      await writer.write([bytes.subarray(0, 10_000)])
      const flushed = await writer.flush({ maxLagBytes: 0 })
      await writer.write([bytes.subarray(10_000, 20_000)])
      await writer.keep()
      const noted = writer.position
      await writer.write([bytes.subarray(20_000)])
      await writer.close()
      const known = { noted, flushed, isSameBoot: true, takesMore: true, expectedBytes: null }
      return { key, known, restarted: await subject().reopen() }
    }

    test('begins an object that is absent', async () => {
      const key = newObjectKey()
      expect(await store.recover(key, unknownEnd)).toEqual(beginning)
      const writer = await store.openWriter(key, beginning)
      await writer.write([bytes])
      await writer.finish()
      await writer.close()
      expect(await readObject(store, key)).toEqual(bytes)
    })

    test('finds what was kept, and more only with the checksum over it', async () => {
      const { key, known, restarted } = await makeInterrupted()
      const end = await restarted.recover(key, known)
      expect(end.offsetBytes).toBeGreaterThanOrEqual(20_000)
      expect(end).toEqual(positionIn(bytes, end.offsetBytes))
      const writer = await restarted.openWriter(key, end)
      await writer.write([bytes.subarray(end.offsetBytes)])
      await writer.finish()
      await writer.close()
      expect(await readObject(store, key)).toEqual(bytes)
    })

    test('takes nothing past what was noted where that must not be taken', async () => {
      const { key, known, restarted } = await makeInterrupted()
      const end = await restarted.recover(key, { ...known, takesMore: false })
      expect(end).toEqual(positionIn(bytes, 20_000))
    })

    test('finds what was flushed after the machine was lost', async () => {
      const { key, known, restarted } = await makeInterrupted()
      const end = await restarted.recover(key, { ...known, isSameBoot: false })
      expect(end.offsetBytes).toBeGreaterThanOrEqual(10_000)
      expect(end).toEqual(positionIn(bytes, end.offsetBytes))
    })

    test('finds the same end twice', async () => {
      const { key, known, restarted } = await makeInterrupted()
      const end = await restarted.recover(key, known)
      expect(await restarted.recover(key, { ...known, noted: end })).toEqual(end)
    })
  })
}

export function describeFlushing(subject: () => StoreUnderTest) {
  describe('flushing', () => {
    test('says how far it has come, and leaves out no more than it may', async () => {
      const { store } = subject()
      const bytes = randomBytes(30_000)
      const key = newObjectKey()
      await store.create(key)
      const writer = await store.openWriter(key, beginning)
      await writer.write([bytes.subarray(0, 20_000)])
      expect(writer.position).toEqual(positionIn(bytes, 20_000))
      const some = await writer.flush({ maxLagBytes: 15_000 })
      expect(some.offsetBytes).toBeGreaterThanOrEqual(5_000)
      expect(some).toEqual(positionIn(bytes, some.offsetBytes))
      await writer.write([bytes.subarray(20_000)])
      expect(await writer.flush({ maxLagBytes: 0 })).toEqual(positionIn(bytes, 30_000))
      expect(await writer.flush({ maxLagBytes: 0 })).toEqual(positionIn(bytes, 30_000))
      await writer.close()
      const restarted = await subject().reopen()
      const lost = { ...unknownEnd, flushed: positionIn(bytes, 30_000), isSameBoot: false }
      expect(await restarted.recover(key, lost)).toEqual(positionIn(bytes, 30_000))
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
      const first = await store.openWriter(key, beginning)
      await first.write([Buffer.from('complete')])
      await first.flush({ maxLagBytes: 0 })
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
      const writer = await store.openWriter(key, beginning)
      await writer.close()
      await expectCode(writer.write([Buffer.from('late')]), 'internal')
    })
  })
}
