import { beforeAll, describe, expect, test } from 'vitest'
import { newObjectKey, type ObjectStore } from '../object-store.ts'
import { expectCode, type StoreUnderTest, unknownEnd } from './store-under-test.ts'

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

const anyHeaders = { contentType: 'text/plain', contentDisposition: 'attachment' }

export function describeAbsence(subject: () => StoreUnderTest) {
  describe('absence', () => {
    let store: ObjectStore

    beforeAll(() => {
      store = subject().store
    })

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
        await expectCode(store.recover(key, unknownEnd), 'internal')
        await expectCode(store.handOff(key, anyHeaders), 'internal')
        await expectCode(store.remove([key]), 'internal')
        await expectCode(store.concatenate(key, []), 'internal')
        const source = { key, sizeBytes: 0 }
        await expectCode(store.concatenate(newObjectKey(), [source]), 'internal')
      }
    })
  })
}
