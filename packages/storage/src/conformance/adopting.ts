import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newObjectKey } from '../object-store.ts'
import { readObject, type StoreUnderTest } from './store-under-test.ts'

export function describeAdopting(subject: () => StoreUnderTest) {
  describe('adopting a file', () => {
    const bytes = randomBytes(100_000)
    let folder: string
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'floe-adopt-'))
      await writeFile(join(folder, 'file'), bytes)
      await symlink('file', join(folder, 'link'))
    })
    afterAll(() => rm(folder, { recursive: true, force: true }))

    it.each(['file', 'link'])('makes an object of a %s, or says that it cannot', async (name) => {
      const { store, reopen } = subject()
      const key = newObjectKey()
      if (await store.adopt(key, join(folder, name))) {
        expect(await readObject(await reopen(), key)).toEqual(bytes)
      } else {
        expect(await store.storedBytes(key)).toBeNull()
      }
      await store.remove([key])
      expect(await readFile(join(folder, 'file'))).toEqual(bytes)
    })
  })
}
