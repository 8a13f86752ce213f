import { type RouteName, routes } from '@floe/contracts'
import { beforeAll, expect, test } from 'vitest'
import { signUp } from './world/accounts.ts'
import { onBothArrangements } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { callRoute } from './world/route-calls.ts'
import { codeOf, createShare, newShareId, openShare } from './world/shares.ts'
import { append, beginUpload, createUpload } from './world/tus.ts'

/** So long that it travels by itself, and known wherever a part of it turns up. */
const film = Buffer.from('a scene of the film '.repeat(100_000))
const half = film.length / 2

interface Seen {
  files: { id: string; name: string }[]
  size: number
  coming?: { fileCount: number; size: number; received: number; files: object[] }
}

onBothArrangements('a share that opens while its files are uploaded', (floe) => {
  let owner: Client
  beforeAll(async () => {
    owner = await signUp(floe)
  })

  const openEarly = (draft: string, json: Record<string, unknown>) =>
    owner.send('POST', `/api/shares/${draft}/openEarly`, { json })

  async function see(visitor: Client, id: string): Promise<Seen> {
    const { body } = await visitor.send('GET', `/api/shares/${id}`)
    return body as Seen
  }

  /** Five files: two have arrived, one has by half, of two no byte has. */
  async function openHalfway() {
    const draft = await createShare(owner)
    for (const filename of ['a.txt', 'b.txt']) {
      const whole = { shareId: draft, filename, lengthBytes: 5, bytes: filename }
      expect((await createUpload(owner, whole)).status).toBe(201)
    }
    const path = await beginUpload(owner, {
      ...{ shareId: draft, filename: 'film.mov', lengthBytes: film.length },
    })
    expect((await append(owner, path, 0, film.subarray(0, half))).status).toBe(204)
    const id = newShareId()
    const opened = await openEarly(draft, {
      id,
      announced: {
        fileCount: 5,
        size: 10 + film.length + 7,
        files: [
          { name: 'film.mov', size: film.length },
          { name: 'd.txt', size: 3 },
          { name: 'e.txt', size: 4 },
        ],
      },
    })
    expect(opened.status, opened.text).toBe(202)
    const visitor = createClient(floe.url)
    await openShare(visitor, id)
    return { id, path, visitor }
  }

  test('has what arrived, names what is to come, and is whole at the end', async () => {
    const { id, path, visitor } = await openHalfway()
    // Between two requests of its sender the last bytes are not noted yet.
    await expect.poll(async () => (await see(visitor, id)).coming?.received).toBe(half)
    const { files, coming } = await see(visitor, id)
    expect(files.map(({ name }) => name)).toEqual(['a.txt', 'b.txt'])
    expect(coming).toEqual({
      ...{ fileCount: 3, size: film.length + 7, received: half },
      files: [
        { name: 'film.mov', size: String(film.length), received: String(half) },
        { name: 'd.txt', size: '3', received: '0' },
        { name: 'e.txt', size: '4', received: '0' },
      ],
    })
    const first = await visitor.send('GET', `/api/shares/${id}/files/${files[0]?.id}`)
    expect([first.status, first.text]).toEqual([200, 'a.txt'])
    const early = await visitor.send('GET', `/api/shares/${id}/files/zip`)
    expect([early.status, codeOf(early)]).toEqual([503, 'archive_not_ready'])

    expect((await append(owner, path, half, film.subarray(half))).status).toBe(204)
    for (const [filename, bytes] of Object.entries({ 'd.txt': 'ddd', 'e.txt': 'eeee' })) {
      const whole = { shareId: id, filename, lengthBytes: bytes.length, bytes }
      expect((await createUpload(owner, whole)).status).toBe(201)
    }
    expect(await see(visitor, id)).toMatchObject({ coming: { fileCount: 0, size: 0 } })
    expect((await owner.send('POST', `/api/shares/${id}/complete`)).status).toBe(202)
    const seen = await see(visitor, id)
    expect(seen.coming).toBeUndefined()
    expect([seen.files.length, seen.size]).toEqual([5, 10 + film.length + 7])
    const { status, bytes: zip } = await visitor.send('GET', `/api/shares/${id}/files/zip`)
    expect([status, zip.includes(film)]).toEqual([200, true])
    const late = await createUpload(owner, { shareId: id, filename: 'late', lengthBytes: 1 })
    expect([late.status, codeOf(late)]).toEqual([400, 'share_locked'])
  })

  test('serves nothing of a file before its last byte, by no route and to nobody', async () => {
    const { id, path, visitor } = await openHalfway()
    const uploadId = path.split('/').at(-1) ?? ''
    const other = await signUp(floe)
    const target = {
      ...{ shareId: id, fileId: uploadId, uploadId, reverseShareId: id, userId: id, sessionId: id },
    }
    const reading = (Object.keys(routes) as RouteName[]).filter((name) =>
      ['get', 'head'].includes(routes[name].method),
    )
    for (const client of [visitor, other, owner]) {
      for (const name of reading) {
        const { text } = await callRoute(client, name, target)
        expect(text, name).not.toContain('a scene of')
      }
    }
    const page = await visitor.send('GET', `/share/${id}`)
    expect(page.text).not.toContain('a scene of')
    // Its address is its capability: it leaves with no response but to its sender.
    for (const client of [visitor, other]) {
      const { text } = await client.send('GET', `/api/shares/${id}`)
      expect(text).not.toContain(uploadId)
      expect((await client.send('GET', '/api/uploads')).text).not.toContain(uploadId)
    }
    const { body } = await owner.send('GET', '/api/uploads')
    expect(body).toContainEqual(expect.objectContaining({ url: path, shareId: id }))
  })
})
