import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { AppError } from '@floe/errors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newObjectKey, type ObjectKey, type ObjectStore } from './object-store.ts'

export interface StoreUnderTest {
  store: ObjectStore
  /** The same storage as another process sees it, or this one after a restart. */
  reopen(): Promise<ObjectStore>
  /** An almost full storage with room for `capacityBytes` at most, where one can be had. */
  small?: { store: ObjectStore; capacityBytes: number }
  dispose(): Promise<void>
}

const hostileKeys = [
  '',
  '.',
  '..',
  '../../../../etc/passwd',
  `../${'a'.repeat(29)}`,
  'A'.repeat(32),
  'a'.repeat(31),
  'a'.repeat(33),
  `${'a'.repeat(32)}\n`,
  `${'a'.repeat(31)}\0`,
  `${'a'.repeat(30)}/b`,
]

/** What every adapter of the port must do. `createStore` runs once for the suite. */
export function describeObjectStore(name: string, createStore: () => Promise<StoreUnderTest>) {
  describe(name, () => {
    let subject: StoreUnderTest
    let store: ObjectStore

    beforeAll(async () => {
      subject = await createStore()
      store = subject.store
    })
    afterAll(() => subject.dispose())

    describe('writing', () => {
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

      test('puts a small object in one call', async () => {
        const key = newObjectKey()
        await store.putSmall(key, [Buffer.from('small '), Buffer.from('object')])
        expect(String(await readObject(await subject.reopen(), key))).toBe('small object')
      })

      test('puts an empty object in one call', async () => {
        const key = newObjectKey()
        await store.putSmall(key, [])
        expect(await store.storedBytes(key)).toBe(0)
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

    describe('continuing', () => {
      test('continues synced bytes after a restart', async () => {
        const key = newObjectKey()
        const bytes = randomBytes(50_000)
        await store.create(key)
        const first = await store.openWriter(key, { offsetBytes: 0 })
        await first.write([bytes.subarray(0, 20_000)])
        await first.sync()
        await first.close()

        const restarted = await subject.reopen()
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

        const restarted = await subject.reopen()
        expect(await restarted.storedBytes(key)).toBe(10_000)
        const noted = await restarted.syncedEnd(key)
        const end = { offsetBytes: 10_000, crc32: crc32(bytes.subarray(0, 10_000)) }
        expect(noted).toEqual(isSynced ? end : null)
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

    describe('reading', () => {
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

    describe('absence', () => {
      test('knows that an object is absent', async () => {
        expect(await store.storedBytes(newObjectKey())).toBeNull()
        await expectCode(store.openReader(newObjectKey()), 'file_not_found')
        await expectCode(store.openWriter(newObjectKey(), { offsetBytes: 0 }), 'file_not_found')
      })

      test('removes objects, and absent ones without complaint', async () => {
        const [finished, growing] = [newObjectKey(), newObjectKey()]
        await store.putSmall(finished, [Buffer.from('x')])
        await store.create(growing)
        await store.remove([finished, newObjectKey(), growing])
        await store.remove([finished])
        await store.remove([])
        expect(await store.storedBytes(finished)).toBeNull()
        expect(await store.storedBytes(growing)).toBeNull()
      })

      test('removes more objects than one call of any backend takes', async () => {
        const keys = Array.from({ length: 30 }, newObjectKey)
        await Promise.all(keys.map((key) => store.putSmall(key, [Buffer.from('x')])))
        const absent = Array.from({ length: 1_200 }, newObjectKey)
        await store.remove([...absent, ...keys])
        expect(await Promise.all(keys.map((key) => store.storedBytes(key)))).toEqual(
          keys.map(() => null),
        )
      })

      test('refuses malformed keys in every method', async () => {
        for (const key of hostileKeys) {
          await expectCode(store.create(key), 'internal')
          await expectCode(store.putSmall(key, []), 'internal')
          await expectCode(store.openWriter(key, { offsetBytes: 0 }), 'internal')
          await expectCode(store.openReader(key), 'internal')
          await expectCode(store.storedBytes(key), 'internal')
          await expectCode(store.syncedEnd(key), 'internal')
          await expectCode(store.remove([key]), 'internal')
          await expectCode(store.concatenate(key, []), 'internal')
          const source = { key, sizeBytes: 0 }
          await expectCode(store.concatenate(newObjectKey(), [source]), 'internal')
        }
      })
    })

    describe('concatenating', () => {
      async function putParts(sizes: readonly number[]) {
        const bytes = sizes.map((size) => randomBytes(size))
        const sources = sizes.map((sizeBytes) => ({ key: newObjectKey(), sizeBytes }))
        for (const [index, source] of sources.entries()) {
          await writeObject(store, source.key, [bytes[index] ?? Buffer.alloc(0)])
        }
        return { sources, joined: Buffer.concat(bytes) }
      }

      test('joins the sources in order and leaves them in place', async () => {
        const { sources, joined } = await putParts([3_000_000, 0, 17, 1_048_576])
        const key = newObjectKey()
        await store.concatenate(key, sources)
        expect(digestOf(await readObject(store, key))).toBe(digestOf(joined))
        for (const source of sources) {
          expect(await store.storedBytes(source.key)).toBe(source.sizeBytes)
        }
      })

      test('gives the same object when repeated, also after a restart and at the same time', async () => {
        const { sources, joined } = await putParts([100_000, 200_000])
        const key = newObjectKey()
        await Promise.all([store.concatenate(key, sources), store.concatenate(key, sources)])
        await (await subject.reopen()).concatenate(key, sources)
        expect(digestOf(await readObject(store, key))).toBe(digestOf(joined))
      })

      test('may use a source twice', async () => {
        const { sources, joined } = await putParts([70_000])
        const key = newObjectKey()
        await store.concatenate(key, [...sources, ...sources])
        expect(digestOf(await readObject(store, key))).toBe(
          digestOf(Buffer.concat([joined, joined])),
        )
      })

      test('makes an empty object of nothing', async () => {
        const key = newObjectKey()
        await store.concatenate(key, [])
        expect(await store.storedBytes(key)).toBe(0)
      })

      test('refuses a source that is absent or of another size, and leaves no object', async () => {
        const { sources } = await putParts([1_000])
        const key = newObjectKey()
        const absent = { key: newObjectKey(), sizeBytes: 5 }
        await expectCode(store.concatenate(key, [...sources, absent]), 'file_not_found')
        const wrong = sources.map((source) => ({ ...source, sizeBytes: source.sizeBytes + 1 }))
        await expectCode(store.concatenate(key, wrong), 'internal')
        await expectCode(store.openReader(key), 'file_not_found')
        await store.concatenate(key, sources)
        expect(await store.storedBytes(key)).toBe(1_000)
      })
    })

    describe('inventory', () => {
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
    })

    test('reports a full storage as such, keeps the synced bytes and can go on after room is made', async () => {
      const small = subject.small
      if (small === undefined) return
      const ballast = newObjectKey()
      await small.store.putSmall(ballast, [Buffer.alloc(Math.floor(small.capacityBytes / 2))])
      const key = newObjectKey()
      await small.store.create(key)
      const writer = await small.store.openWriter(key, { offsetBytes: 0 })
      await writer.write([Buffer.from('synced')])
      await writer.sync()
      const tooMuch = randomBytes(small.capacityBytes)
      await expectCode(writer.write([tooMuch]), 'storage_full')
      await expectCode(writer.sync(), 'internal')
      await writer.close()
      await expectCode(small.store.putSmall(newObjectKey(), [tooMuch]), 'storage_full')

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

async function writeObject(store: ObjectStore, key: ObjectKey, chunks: readonly Uint8Array[]) {
  await store.create(key)
  const writer = await store.openWriter(key, { offsetBytes: 0 })
  await writer.write(chunks)
  await writer.finish()
  await writer.close()
}

async function readObject(store: ObjectStore, key: ObjectKey): Promise<Buffer> {
  const reader = await store.openReader(key)
  const pieces: Buffer[] = []
  let position = 0
  for (;;) {
    const buffer = Buffer.alloc(64 * 1024)
    const count = await reader.read(buffer, position)
    if (count === 0) break
    pieces.push(buffer.subarray(0, count))
    position += count
  }
  await reader.close()
  return Buffer.concat(pieces)
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function expectCode(running: Promise<unknown>, code: AppError['code']) {
  await expect(running).rejects.toMatchObject({ name: 'AppError', code })
}
