import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { newObjectKey, type ObjectStore } from '../object-store.ts'
import {
  digestOf,
  expectCode,
  readObject,
  type StoreUnderTest,
  writeObject,
} from './store-under-test.ts'

export function describeConcatenating(subject: () => StoreUnderTest) {
  describe('concatenating', () => {
    let store: ObjectStore

    beforeAll(() => {
      store = subject().store
    })

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
      await (await subject().reopen()).concatenate(key, sources)
      expect(digestOf(await readObject(store, key))).toBe(digestOf(joined))
    })

    test('may use a source twice', async () => {
      const { sources, joined } = await putParts([70_000])
      const key = newObjectKey()
      await store.concatenate(key, [...sources, ...sources])
      expect(digestOf(await readObject(store, key))).toBe(digestOf(Buffer.concat([joined, joined])))
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
}
