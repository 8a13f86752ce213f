import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFileWorld, creation, type FileWorld, octets } from '../../testing/file-world.ts'
import type { TestShare } from '../../testing/test-ports.ts'
import { createFileRows } from './file-rows.ts'

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

  const files = createFileRows(world.database)
  const uids = [one, other, empty].map((share) => share?.uid ?? '')
  const editions = uids.map((shareUid) => ({ shareUid, edition: 1 }))
  const byShare = await files.listOfShares(editions)

  expect([...byShare.keys()].sort()).toEqual([one?.uid, other?.uid].sort())
  for (const edition of editions) {
    const listed = await files.list(edition)
    expect(byShare.get(edition.shareUid) ?? []).toEqual(
      listed.map(({ id, name, sizeBytes, sha256, scan }) => {
        return { id, name, sizeBytes, sha256: sha256?.toString('hex') ?? null, scan }
      }),
    )
  }
  const names = byShare.get(one?.uid ?? '')?.map(({ name }) => name)
  expect(names).toEqual(['Z.txt', 'a.txt', 'b.txt', 'ä.txt'])
})

test('lists nothing for no shares', async () => {
  await expect(createFileRows(world.database).listOfShares([])).resolves.toEqual(new Map())
})

describe('editions', () => {
  const setup = async () => {
    const { uid: shareUid } = world.ports.addShare()
    const files = createFileRows(world.database)
    const insert = async (name: string, added: number, removed: number | null = null) => {
      const id = randomUUID()
      await world.database.knex('files').insert({
        share_uid: shareUid,
        id,
        name,
        size_bytes: 10,
        crc32: 1,
        object_key: randomUUID(),
        created_at: new Date('2026-01-01'),
        added_edition: added,
        removed_edition: removed,
      })
      return id
    }
    const namesIn = async (edition: number) => {
      const listed = await files.list({ shareUid, edition })
      const many = await files.listOfShares([{ shareUid, edition }])
      const names = listed.map(({ name }) => name)
      expect((many.get(shareUid) ?? []).map(({ name }) => name)).toEqual(names)
      return names
    }
    return { shareUid, files, insert, namesIn }
  }

  test('have the files added up to them and not removed by then', async () => {
    const { shareUid, files, insert, namesIn } = await setup()
    const removed = await insert('1-2', 1, 2)
    await insert('1-3', 1, 3)
    await insert('1-', 1)
    await insert('2-', 2)
    await insert('3-', 3)
    expect(await namesIn(0)).toEqual([])
    expect(await namesIn(1)).toEqual(['1-', '1-2', '1-3'])
    expect(await namesIn(2)).toEqual(['1-', '1-3', '2-'])
    expect(await namesIn(3)).toEqual(['1-', '2-', '3-'])
    expect(await files.find({ shareUid, edition: 1 }, removed)).toMatchObject({ name: '1-2' })
    expect(await files.find({ shareUid, edition: 2 }, removed)).toBeNull()
    expect(await files.measure([shareUid])).toEqual([{ shareUid, fileCount: 3, sizeBytes: 30 }])
    for (const [edition, fileCount] of [
      [0, 0],
      [1, 3],
      [3, 3],
    ] as const) {
      const measured = { fileCount, sizeBytes: 10 * fileCount }
      expect(await files.measureEdition({ shareUid, edition })).toEqual(measured)
    }
    const first = await files.list({ shareUid, edition: 1 }, 2)
    expect(first.map(({ name }) => name)).toEqual(['1-', '1-2'])
  })

  test('differ in revision though their files are alike', async () => {
    const { shareUid, files, insert } = await setup()
    await insert('old', 1, 2)
    await insert('new', 2)
    const [first, second] = await Promise.all(
      [1, 2].map((edition) => files.revision({ shareUid, edition })),
    )
    expect(first).not.toBe(second)
    expect(await files.revision({ shareUid, edition: 1 })).toBe(first)
  })

  test('take a file removed by many requests at once out once', async () => {
    const { shareUid, files, insert } = await setup()
    const published = await insert('published', 1)
    const added = await insert('added', 2)
    await world.database.knex('share_totals').insert({ share_uid: shareUid, reserved_bytes: 20 })
    for (const [id, left] of [
      [published, 10],
      [added, 0],
    ] as const) {
      const removals = await Promise.all(
        Array.from({ length: 5 }, () =>
          files.remove({ shareUid, edition: 2, isPublished: false }, id),
        ),
      )
      expect(removals.filter((removed) => removed !== null)).toHaveLength(1)
      const totals = await world.database.knex('share_totals').where({ share_uid: shareUid })
      expect(totals).toMatchObject([{ reserved_bytes: left }])
    }
    expect(await files.stateOf(shareUid, published)).toBe('removed')
    expect(await files.stateOf(shareUid, added)).toBeNull()
  })
})
