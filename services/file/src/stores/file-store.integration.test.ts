import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFileWorld, creation, type FileWorld, octets } from '../testing/file-world.ts'
import type { TestShare } from '../testing/test-ports.ts'
import { createFileStore } from './file-store.ts'

let world: FileWorld

beforeAll(async () => {
  world = await createFileWorld()
})
afterAll(() => world.close())

test('lists the files of many shares at once as it lists those of each', async () => {
  const replica = await world.startReplica()
  const [one, other, empty, unasked] = [1, 2, 3, 4].map(() => world.ports.addShare())
  async function addFile(share: TestShare | undefined, name: string): Promise<void> {
    if (share === undefined) throw new Error('no share')
    const headers = creation(share, { 'Upload-Length': '3', ...octets }, name)
    const { status } = await replica.send('POST', '/api/uploads', {
      headers,
      body: Buffer.from('abc'),
    })
    expect(status).toBe(201)
  }
  for (const name of ['b.txt', 'Z.txt', 'ä.txt', 'a.txt']) await addFile(one, name)
  await addFile(other, 'only.txt')
  await addFile(unasked, 'hidden.txt')

  const files = createFileStore(world.database)
  const uids = [one, other, empty].map((share) => share?.uid ?? '')
  const byShare = await files.listOfShares(uids)

  expect([...byShare.keys()].sort()).toEqual([one?.uid, other?.uid].sort())
  for (const uid of uids) {
    const listed = await files.list(uid)
    expect(byShare.get(uid) ?? []).toEqual(
      listed.map(({ id, name, sizeBytes }) => ({ id, name, sizeBytes })),
    )
  }
  const names = byShare.get(one?.uid ?? '')?.map(({ name }) => name)
  expect(names).toEqual(['Z.txt', 'a.txt', 'b.txt', 'ä.txt'])
})

test('lists nothing for no shares', async () => {
  await expect(createFileStore(world.database).listOfShares([])).resolves.toEqual(new Map())
})
