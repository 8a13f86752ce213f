import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { signUp } from './world/accounts.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import {
  beginSending,
  complete,
  createReverseShare,
  findOwn,
  openSender,
  reverseShareInput,
} from './world/reverse-shares.ts'
import {
  addFile,
  codeOf,
  createShare,
  keysOf,
  newShareId,
  openShare,
  sendChunk,
} from './world/shares.ts'
import { append, beginUpload, createUpload, encodeMetadata, offsetStream } from './world/tus.ts'

onOneArrangement('embedded', 'reverse shares', (floe) => {
  let owner: Client
  beforeAll(async () => {
    owner = await signUp(floe)
  })

  const look = (token: string) => createClient(floe.url).send('GET', `/api/reverseShares/${token}`)
  const usesOf = async (token: string) => (await findOwn(owner, token))?.remainingUses

  /** Sends one file through the link; returns the share's id. */
  async function send(token: string, options = {}): Promise<string> {
    const sender = openSender(floe, token)
    const id = await beginSending(sender, { 'a.txt': 'for you' }, options)
    const response = await complete(sender, id)
    expect(response.status, response.text).toBe(202)
    return id
  }

  test('respond with the members of the wire', async () => {
    const created = await owner.send('POST', '/api/reverseShares', { json: reverseShareInput })
    expect(created.status, created.text).toBe(201)
    expect(keysOf(created.body)).toEqual(['link', 'token'])
    const { token, link } = created.body as { token: string; link: string }
    expect(link).toMatch(new RegExp(`^https?://.+/upload/${token}$`))
    const seen = await look(token)
    expect(seen.body).toMatchObject({ token, maxShareSize: '50000000' })
    for (const key of ['id', 'shareExpiration', 'simplified']) {
      expect(seen.body).toHaveProperty(key)
    }
    const sender = openSender(floe, token)
    const begun = await sender.send('POST', '/api/shares', {
      json: { id: newShareId(), expiration: '1-day', recipients: [] },
    })
    expect(keysOf(begun.body)).toEqual(['description', 'expiration', 'id', 'name'])
    const { id } = begun.body as { id: string }
    await addFile(sender, id, 'a.txt', 'a')
    const completed = await complete(sender, id)
    expect(keysOf(completed.body)).toEqual([
      'description',
      'expiration',
      'id',
      'name',
      'notifyReverseShareCreator',
    ])
    expect(await findOwn(owner, token)).toMatchObject({
      remainingUses: 1,
      shares: [{ id, views: 0, size: 1, fileCount: 1 }],
    })
  })

  test('take files of somebody with the password, as often as they may, for their owner', async () => {
    const token = await createReverseShare(owner, { password: 'open sesame', name: 'Papers' })
    const sender = openSender(floe, token)
    const json = { id: newShareId(), expiration: '1-day', recipients: [] }
    const locked = await sender.send('POST', '/api/shares', { json })
    expect(codeOf(locked)).toBe('reverse_share_password_required')
    const access = `/api/reverseShares/${token}/access`
    const wrong = await sender.send('POST', access, { json: { password: 'close sesame' } })
    expect(codeOf(wrong)).toBe('wrong_password')
    const right = await sender.send('POST', access, { json: { password: 'open sesame' } })
    expect(right).toMatchObject({ status: 200, text: '' })

    const id = await createShare(sender)
    await addFile(sender, id, 'folder/chunk.txt', 'by chunk')
    const path = await beginUpload(sender, {
      ...{ shareId: id, filename: 'tus.txt', relativePath: 'folder/tus.txt', lengthBytes: 6 },
    })
    expect((await append(sender, path, 0, 'by tus')).status).toBe(204)
    expect((await complete(sender, id)).status).toBe(202)

    const [received] = (await findOwn(owner, token))?.shares ?? []
    expect(received).toMatchObject({ id, fileCount: 2, size: 14 })
    const listing = await owner.send('GET', `/api/shares/${id}/from-owner`)
    const { files } = listing.body as { files: { id: string; name: string }[] }
    expect(files.map(({ name }) => name)).toEqual(['folder/chunk.txt', 'folder/tus.txt'])
    const file = await owner.send('GET', `/api/shares/${id}/files/${files[1]?.id}`)
    expect(file).toMatchObject({ status: 200, text: 'by tus' })
    const archive = await owner.send('GET', `/api/shares/${id}/files/zip`)
    expect(archive.status).toBe(200)
    expect(archive.bytes.subarray(0, 2).toString()).toBe('PK')

    const second = await createShare(sender)
    await addFile(sender, second, 'b.txt', 'b')
    expect((await complete(sender, second)).status).toBe(202)
    expect(await look(token)).toMatchObject({ status: 404 })
    const third = await sender.send('POST', '/api/shares', { json })
    expect(third.status).toBe(404)
    expect(codeOf(third)).toBe('reverse_share_not_found')
  })

  test('take files first, and then who sends them and what they are', async () => {
    const token = await createReverseShare(owner, { askSenderName: true })
    const sender = openSender(floe, token)
    const id = await beginSending(sender, { 'a.txt': 'for you' })
    const nameless = await complete(sender, id, { name: 'Quotes' })
    expect(nameless.status, nameless.text).toBe(400)
    expect(codeOf(nameless)).toBe('validation_failed')
    expect(await findOwn(owner, token)).toMatchObject({ remainingUses: 2, shares: [] })
    const named = await complete(sender, id, { name: 'Quotes', senderName: 'Anna' })
    expect(named.status, named.text).toBe(202)
    expect(await findOwn(owner, token)).toMatchObject({
      remainingUses: 1,
      shares: [{ id, name: 'Quotes', senderName: 'Anna', size: 7 }],
    })
  })

  test('give their last use to one of several who complete at once', async () => {
    const token = await createReverseShare(owner, { maxUseCount: 1 })
    const senders = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const sender = openSender(floe, token)
        return { sender, id: await beginSending(sender, { 'a.txt': 'mine' }) }
      }),
    )
    const responses = await Promise.all(senders.map(({ sender, id }) => complete(sender, id)))
    expect(responses.map(({ status }) => status).sort()).toEqual([202, 403, 403, 403, 403])
    const refused = responses.filter(({ status }) => status === 403)
    for (const response of refused) expect(codeOf(response)).toBe('reverse_share_used_up')
    expect(await findOwn(owner, token)).toMatchObject({ remainingUses: 0, shares: [{}] })
  })

  test('count a share once, however often it is edited and completed', async () => {
    const token = await createReverseShare(owner)
    const sender = await signUp(floe)
    sender.cookies.set('reverse_share_token', token)
    const id = await beginSending(sender, { 'a.txt': 'a' })
    const completions = await Promise.all([1, 2, 3].map(() => complete(sender, id)))
    expect(completions.map(({ status }) => status).sort()).toEqual([202, 400, 400])
    for (let round = 0; round < 2; round += 1) {
      expect((await sender.send('DELETE', `/api/shares/${id}/complete`)).status).toBe(200)
      await addFile(sender, id, `${round}.txt`, 'more')
      expect((await complete(sender, id)).status).toBe(202)
    }
    expect(await usesOf(token)).toBe(1)
  })

  describe('with a limit', () => {
    let sender: Client
    let shareId: string
    beforeAll(async () => {
      const token = await createReverseShare(owner, { maxShareSize: '100000', maxUseCount: 50 })
      sender = openSender(floe, token)
    })
    const begin = async () => {
      shareId = await createShare(sender)
    }
    const tooLarge = { statusCode: 413, message: 'Max share size exceeded' }

    test('refuse what says that it is too large before its first byte', async () => {
      await begin()
      const response = await createUpload(sender, {
        ...{ shareId, filename: 'large.bin', lengthBytes: 100_001 },
      })
      expect(response).toMatchObject({ status: 413, body: tooLarge })
      expect(codeOf(response)).toBe('share_too_large')

      const head = await sendHeadOnly(sender, '/api/uploads', {
        'Tus-Resumable': '1.0.0',
        'Upload-Length': '100001',
        'Upload-Metadata': encodeMetadata({ shareId, filename: 'large.bin' }),
        'Content-Type': offsetStream,
        'Content-Length': '100001',
      })
      expect(head).toMatch(/^HTTP\/1\.1 413 /)
      const query = 'name=large.bin&chunkIndex=0&totalChunks=1'
      const chunk = await sendHeadOnly(sender, `/api/shares/${shareId}/files?${query}`, {
        'Content-Type': 'application/octet-stream',
        'Content-Length': '100001',
      })
      expect(chunk).toMatch(/^HTTP\/1\.1 413 /)
    })

    test('refuse what turns out to be too large', async () => {
      await begin()
      const path = await beginUpload(sender, { shareId, filename: 'deferred.bin' })
      const refused = await append(sender, path, 0, Buffer.alloc(100_001))
      expect(refused).toMatchObject({ status: 413, body: tooLarge })
      expect((await append(sender, path, 0, Buffer.alloc(60_000))).status).toBe(204)
      const more = await createUpload(sender, {
        ...{ shareId, filename: 'more.bin', lengthBytes: 40_001 },
      })
      expect(more.status).toBe(413)
      const chunk = await sendChunk(sender, shareId, { name: 'more.bin' }, Buffer.alloc(40_001))
      expect(chunk).toMatchObject({ status: 413, body: tooLarge })
      const fits = await sendChunk(sender, shareId, { name: 'more.bin' }, Buffer.alloc(40_000))
      expect(fits.status, fits.text).toBe(201)
    })

    test('take what just fits', async () => {
      await begin()
      const path = await beginUpload(sender, { shareId, filename: 'a.bin', lengthBytes: 100_000 })
      expect((await append(sender, path, 0, Buffer.alloc(100_000))).status).toBe(204)
      expect((await complete(sender, shareId)).status).toBe(202)
    })
  })

  test('let nobody but the sender add, and nobody change what is delivered', async () => {
    const token = await createReverseShare(owner)
    const sender = openSender(floe, token)
    const id = await beginSending(sender, { 'a.txt': 'a' })
    const others = [owner, openSender(floe, token), await signUp(floe)]
    for (const other of others) {
      const attempts = [
        await sendChunk(other, id, { name: 'theirs.txt' }, 'theirs'),
        await createUpload(other, { shareId: id, filename: 'theirs.txt', lengthBytes: 6 }),
        await complete(other, id),
        await other.send('PATCH', `/api/shares/${id}`, { json: { name: 'Theirs' } }),
      ]
      for (const response of attempts) {
        expect(response.status, response.text).toBe(403)
        expect(codeOf(response)).toBe('forbidden')
      }
    }
    expect((await complete(sender, id)).status).toBe(202)
    for (const client of [sender, ...others]) {
      const reopened = await client.send('DELETE', `/api/shares/${id}/complete`)
      expect(reopened.status, reopened.text).toBe(403)
      const added = await sendChunk(client, id, { name: 'late.txt' }, 'late')
      expect(['share_locked', 'forbidden']).toContain(codeOf(added))
    }
  })

  test('without public access are read by their owner and nobody else', async () => {
    const token = await createReverseShare(owner, { publicAccess: false })
    const id = await send(token)
    const listing = await owner.send('GET', `/api/shares/${id}/from-owner`)
    const { files } = listing.body as { files: { id: string }[] }
    const file = `/api/shares/${id}/files/${files[0]?.id}`
    const reads = [
      `/api/shares/${id}`,
      `/api/shares/${id}/metaData`,
      `/api/shares/${id}/files/zip`,
      file,
    ]
    for (const client of [createClient(floe.url), openSender(floe, token), await signUp(floe)]) {
      expect(codeOf(await openShare(client, id))).toBe('private_share')
      for (const path of reads) {
        const response = await client.send('GET', path)
        expect(response.status, path).toBe(403)
        expect(codeOf(response), path).toBe('private_share')
        expect(response.text).not.toContain('for you')
      }
    }
    expect((await openShare(owner, id)).status).toBe(200)
    for (const path of reads) expect((await owner.send('GET', path)).status, path).toBe(200)
    expect((await owner.send('GET', file)).text).toBe('for you')
    expect((await owner.send('DELETE', `/api/shares/${id}`)).status).toBe(200)
    expect((await findOwn(owner, token))?.shares).toEqual([])
  })

  test('take everything along when they are deleted', async () => {
    const token = await createReverseShare(owner)
    const id = await send(token)
    const sender = openSender(floe, token)
    const open = await createShare(sender)
    const path = await beginUpload(sender, {
      ...{ shareId: open, filename: 'half.bin', lengthBytes: 10 },
    })
    await append(sender, path, 0, 'hello')
    const reverseShareId = (await findOwn(owner, token))?.id
    const stranger = await signUp(floe)
    const own = `/api/reverseShares/${reverseShareId}`
    expect((await stranger.send('DELETE', own)).status).toBe(403)
    expect((await owner.send('DELETE', own)).status).toBe(200)
    expect((await look(token)).status).toBe(404)
    expect(codeOf(await openShare(createClient(floe.url), id))).toBe('share_not_found')
    expect((await append(sender, path, 5, 'world')).status).toBeGreaterThanOrEqual(400)
    await vi.waitFor(
      async () => {
        const head = await sender.send('HEAD', path, { headers: { 'Tus-Resumable': '1.0.0' } })
        expect([404, 410]).toContain(head.status)
      },
      { timeout: 20_000, interval: 200 },
    )
  })

  test('end on the second, with what was sent', async () => {
    const token = await createReverseShare(owner)
    const id = await send(token)
    const visitor = createClient(floe.url)
    await openShare(visitor, id)
    const reverseShareId = (await findOwn(owner, token))?.id
    const endsAt = new Date(Date.now() + 2_000)
    const moved = await owner.send('PATCH', `/api/reverseShares/${reverseShareId}`, {
      json: { shareExpiration: endsAt.toISOString() },
    })
    expect(moved.status, moved.text).toBe(200)
    const isThere = async () => {
      const before = Date.now()
      const responses = [await look(token), await visitor.send('GET', `/api/shares/${id}`)]
      const after = Date.now()
      for (const { status } of responses) {
        if (after < endsAt.getTime()) expect(status).toBe(200)
        if (before >= endsAt.getTime()) expect(status).toBe(404)
      }
      return responses.every(({ status }) => status === 404)
    }
    await vi.waitUntil(isThere, { timeout: 10_000, interval: 20 })
    const json = { id: newShareId(), expiration: '1-day', recipients: [] }
    const late = await openSender(floe, token).send('POST', '/api/shares', { json })
    expect(codeOf(late)).toBe('reverse_share_not_found')
    expect(await findOwn(owner, token)).toBeUndefined()
  })

  test('bind nobody by a stale cookie who can share without it', async () => {
    const token = await createReverseShare(owner, { maxUseCount: 1 })
    await send(token)
    const user = await signUp(floe)
    user.cookies.set('reverse_share_token', token)
    const id = await beginSending(user, { 'a.txt': 'a' })
    expect((await complete(user, id)).status).toBe(202)
    const own = await user.send('GET', `/api/shares/${id}/from-owner`)
    expect(own.body).not.toHaveProperty('reverseShare')
  })
})

/** Sends a head that promises a body and no byte of it; returns what the server says to that. */
async function sendHeadOnly(
  { url, cookies }: Client,
  path: string,
  headers: Record<string, string>,
): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.setTimeout(10_000, () => socket.destroy(new Error('no response without a body')))
  const lines = Object.entries({ ...headers, Cookie: cookies.header(path), Host: hostname })
  socket.write(
    `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  )
  const [first] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return first.toString()
}
