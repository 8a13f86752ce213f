import { randomBytes, randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { signUp } from './world/accounts.ts'
import { onBothArrangements } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { completeShare, createShare, keysOf, openShare, sendChunk } from './world/shares.ts'

onBothArrangements('the chunk protocol', (floe) => {
  let owner: Client
  let chunkSize: number
  beforeAll(async () => {
    owner = await signUp(floe)
    const configs = (await owner.send('GET', '/api/configs')).body as {
      key: string
      value: string
    }[]
    chunkSize = Number(configs.find(({ key }) => key === 'share.chunkSize')?.value)
  })

  async function download(shareId: string, fileId: string): Promise<Buffer> {
    await completeShare(owner, shareId)
    const visitor = createClient(floe.url)
    expect((await openShare(visitor, shareId)).status).toBe(200)
    const response = await visitor.send('GET', `/api/shares/${shareId}/files/${fileId}`)
    expect(response.status, response.text).toBe(200)
    return response.bytes
  }

  test('joins the chunks of a file byte for byte', async () => {
    const shareId = await createShare(owner)
    const content = randomBytes(chunkSize * 2 + 4321)
    const first = await sendChunk(
      owner,
      shareId,
      { name: 'big.bin', total: 3 },
      content.subarray(0, chunkSize),
    )
    expect(first.status).toBe(201)
    expect(keysOf(first.body)).toEqual(['id', 'name'])
    const { id } = first.body as { id: string }
    for (const index of [1, 2]) {
      const chunk = content.subarray(index * chunkSize, (index + 1) * chunkSize)
      const response = await sendChunk(
        owner,
        shareId,
        { name: 'big.bin', id, index, total: 3 },
        chunk,
      )
      expect(response).toMatchObject({ status: 201, body: { id, name: 'big.bin' } })
    }
    expect((await download(shareId, id)).equals(content)).toBe(true)
  })

  test('says which chunk it expects, with exactly the members clients know', async () => {
    const shareId = await createShare(owner)
    const id = randomUUID()
    const chunk = randomBytes(chunkSize)
    const early = await sendChunk(owner, shareId, { name: 'a', id, index: 1, total: 3 }, 'x')
    expect(early.status).toBe(400)
    expect(early.body).toEqual({
      message: expect.any(String),
      error: 'unexpected_chunk_index',
      expectedChunkIndex: 0,
    })
    await sendChunk(owner, shareId, { name: 'a', id, index: 0, total: 3 }, chunk)
    for (const index of [0, 2]) {
      const wrong = await sendChunk(owner, shareId, { name: 'a', id, index, total: 3 }, 'x')
      expect(wrong.status).toBe(400)
      expect(wrong.body).toMatchObject({ error: 'unexpected_chunk_index', expectedChunkIndex: 1 })
    }
  })

  test('goes on at the index it told, after a client has forgotten its place', async () => {
    const shareId = await createShare(owner)
    const id = randomUUID()
    const content = randomBytes(chunkSize + 10)
    const send = (index: number) =>
      sendChunk(
        owner,
        shareId,
        { name: 'a', id, index, total: 2 },
        content.subarray(index * chunkSize, (index + 1) * chunkSize),
      )
    expect((await send(0)).status).toBe(201)
    const again = await send(0)
    const { expectedChunkIndex } = again.body as { expectedChunkIndex: number }
    expect((await send(expectedChunkIndex)).status).toBe(201)
    expect((await download(shareId, id)).equals(content)).toBe(true)
  })

  test('responds with success when the last chunk of a finished file comes again', async () => {
    const shareId = await createShare(owner)
    const chunk = { name: 'a.txt', id: randomUUID() }
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const response = await sendChunk(owner, shareId, chunk, 'once')
      expect(response).toMatchObject({ status: 201, body: { id: chunk.id, name: 'a.txt' } })
    }
    expect((await download(shareId, chunk.id)).toString()).toBe('once')
  })

  test('keeps a file without bytes', async () => {
    const shareId = await createShare(owner)
    const response = await sendChunk(owner, shareId, { name: 'empty.txt' }, '')
    expect(response.status).toBe(201)
    const { id } = response.body as { id: string }
    expect((await download(shareId, id)).length).toBe(0)
  })

  test('takes the UUID a client made and refuses any other id', async () => {
    const shareId = await createShare(owner)
    const id = randomUUID()
    const response = await sendChunk(owner, shareId, { name: 'a.txt', id }, 'a')
    expect(response).toMatchObject({ status: 201, body: { id } })
    for (const bad of ['1', 'not-a-uuid', `${id}x`, '../../etc/passwd', '%00']) {
      const refused = await sendChunk(owner, shareId, { name: 'b.txt', id: bad }, 'b')
      expect(refused.status, bad).toBe(400)
    }
  })

  test('refuses a chunk above share.chunkSize with exactly the members clients know', async () => {
    const shareId = await createShare(owner)
    const response = await sendChunk(owner, shareId, { name: 'a' }, Buffer.alloc(chunkSize + 1))
    expect(response.status).toBe(413)
    expect(response.body).toEqual({ statusCode: 413, message: 'request entity too large' })
    const empty = await owner.send('POST', `/api/shares/${shareId}/complete`)
    expect(empty).toMatchObject({ status: 400, body: { code: 'share_without_files' } })
  })

  test.each([
    ['no name', 'chunkIndex=0&totalChunks=1'],
    ['an empty name', 'name=&chunkIndex=0&totalChunks=1'],
    ['a name with control characters', 'name=a%00b&chunkIndex=0&totalChunks=1'],
    ['no index', 'name=a&totalChunks=1'],
    ['a negative index', 'name=a&chunkIndex=-1&totalChunks=1'],
    ['an index that is no number', 'name=a&chunkIndex=x&totalChunks=1'],
    ['an index past the total', 'name=a&chunkIndex=1&totalChunks=1'],
    ['a total of nothing', 'name=a&chunkIndex=0&totalChunks=0'],
    ['a huge total', 'name=a&chunkIndex=0&totalChunks=99999999999999999999'],
    ['two names', 'name=a&name=b&chunkIndex=0&totalChunks=1'],
  ])('refuses %s', async (_what, query) => {
    const shareId = await createShare(owner)
    const response = await owner.send('POST', `/api/shares/${shareId}/files?${query}`, {
      bytes: 'a',
      headers: { 'Content-Type': 'application/octet-stream' },
    })
    expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  })

  test('takes files from the owner of the share alone', async () => {
    const shareId = await createShare(owner)
    for (const other of [createClient(floe.url), await signUp(floe)]) {
      const response = await sendChunk(other, shareId, { name: 'theirs.txt' }, 'x')
      expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    }
  })

  test('lets the owner remove a file until the share is completed', async () => {
    const shareId = await createShare(owner)
    const chunk = { name: 'a.txt', id: randomUUID() }
    await sendChunk(owner, shareId, chunk, 'a')
    await sendChunk(owner, shareId, { name: 'b.txt' }, 'b')
    const path = `/api/shares/${shareId}/files/${chunk.id}`
    expect(await owner.send('DELETE', path)).toMatchObject({ status: 200, text: '' })
    expect((await owner.send('DELETE', path)).status).toBe(404)
    await completeShare(owner, shareId)
    const listed = await owner.send('GET', `/api/shares/${shareId}/from-owner`)
    const { files } = listed.body as { files: { id: string; name: string }[] }
    expect(files.map(({ name }) => name)).toEqual(['b.txt'])
    const locked = await owner.send('DELETE', `/api/shares/${shareId}/files/${files[0]?.id}`)
    expect(locked).toMatchObject({ status: 400, body: { code: 'share_locked' } })
  })
})
