import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { signUp } from './world/accounts.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import {
  addFile,
  codeOf,
  completeShare,
  createShare,
  openShare,
  publishShare,
  sendChunk,
} from './world/shares.ts'
import { append, beginUpload, createUpload } from './world/tus.ts'

onOneArrangement('embedded', 'editing a published share', (floe) => {
  let owner: Client
  let visitor: Client
  let shareId: string
  let keptId: string
  let removedId: string

  const archive = () => `/api/shares/${shareId}/files/zip`
  const file = (id: string) => `/api/shares/${shareId}/files/${id}`
  const reopen = async () => {
    const response = await owner.send('DELETE', `/api/shares/${shareId}/complete`)
    expect(response.status, response.text).toBe(200)
  }
  const remove = async (id: string) => {
    const response = await owner.send('DELETE', file(id))
    expect(response.status, response.text).toBe(200)
  }
  const namesFor = async (client: Client, path: string) => {
    const response = await client.send('GET', path)
    expect(response.status, response.text).toBe(200)
    return namesOf(response.body)
  }
  const visitorSees = () => namesFor(visitor, `/api/shares/${shareId}`)
  const ownerSees = () => namesFor(owner, `/api/shares/${shareId}/from-owner`)

  async function publish(files: Record<string, Buffer | string>): Promise<string[]> {
    const share = await publishShare(owner, files)
    shareId = share.id
    visitor = createClient(floe.url)
    await openShare(visitor, shareId)
    return share.fileIds
  }

  beforeAll(async () => {
    owner = await signUp(floe)
  })

  describe('from the reopening to the completion', () => {
    const old = ['kept.txt', 'removed.txt']
    let before: Awaited<ReturnType<Client['send']>>
    let uploadPath: string

    beforeAll(async () => {
      const ids = await publish({ 'kept.txt': 'kept', 'removed.txt': 'removed' })
      ;[keptId = '', removedId = ''] = ids
      before = await visitor.send('GET', archive())
      expect(before.status).toBe(200)
    })

    async function expectUnchanged() {
      expect(await visitorSees()).toEqual(old)
      const whole = await visitor.send('GET', archive())
      expect(whole.bytes.equals(before.bytes)).toBe(true)
      expect(whole.headers.etag).toBe(before.headers.etag)
      const rest = await visitor.send('GET', archive(), {
        headers: { Range: 'bytes=20-', 'If-Range': before.headers.etag ?? '' },
      })
      expect(rest.status).toBe(206)
      expect(rest.bytes.equals(before.bytes.subarray(20))).toBe(true)
      expect(await visitor.send('GET', file(removedId))).toMatchObject({
        status: 200,
        text: 'removed',
      })
      // Without a cookie, as a script or a link in a mail asks.
      const script = await createClient(floe.url).send('GET', archive())
      expect(script.bytes.equals(before.bytes)).toBe(true)
      const meta = await visitor.send('GET', `/api/shares/${shareId}/metaData`)
      expect(meta.body).toMatchObject({ isZipReady: true })
    }

    test('visitors lose nothing by the reopening', async () => {
      await reopen()
      await expectUnchanged()
      expect(await ownerSees()).toEqual(old)
    })

    test('a file added in one request is invisible', async () => {
      const id = await addFile(owner, shareId, 'added.txt', 'added')
      await expectUnchanged()
      expect(codeOf(await visitor.send('GET', file(id)))).toBe('file_not_found')
      expect(await ownerSees()).toEqual(['added.txt', ...old])
    })

    test('a file added by a resumable upload is invisible', async () => {
      uploadPath = await beginUpload(owner, { shareId, filename: 'sent.txt', lengthBytes: 4 })
      expect((await append(owner, uploadPath, 0, 'se')).status).toBe(204)
      await expectUnchanged()
      expect((await append(owner, uploadPath, 2, 'nt')).status).toBe(204)
      await expectUnchanged()
      expect(await ownerSees()).toEqual(['added.txt', 'kept.txt', 'removed.txt', 'sent.txt'])
    })

    test('a removed file stays, and a second removal finds nothing', async () => {
      await remove(removedId)
      await expectUnchanged()
      expect(await ownerSees()).toEqual(['added.txt', 'kept.txt', 'sent.txt'])
      expect(codeOf(await owner.send('DELETE', file(removedId)))).toBe('file_not_found')
    })

    test("the owner's list of shares tells what is being worked on", async () => {
      const own = (await owner.send('GET', '/api/shares')).body as { id: string; size: number }[]
      expect(own.find(({ id }) => id === shareId)).toMatchObject({ size: 4 + 5 + 4 })
    })

    test('strangers can still change nothing', async () => {
      const stranger = createClient(floe.url)
      expect((await sendChunk(stranger, shareId, { name: 'x.txt' }, 'x')).status).toBe(403)
      expect((await stranger.send('DELETE', file(keptId))).status).toBe(403)
      expect((await stranger.send('POST', `/api/shares/${shareId}/complete`)).status).toBe(403)
    })

    test('the completion publishes everything at once', async () => {
      await completeShare(owner, shareId)
      expect(await visitorSees()).toEqual(['added.txt', 'kept.txt', 'sent.txt'])
      expect(await ownerSees()).toEqual(['added.txt', 'kept.txt', 'sent.txt'])
      expect(codeOf(await visitor.send('GET', file(removedId)))).toBe('file_not_found')
      expect((await visitor.send('GET', file(keptId))).text).toBe('kept')
      const after = await visitor.send('GET', archive())
      expect(after.headers.etag).not.toBe(before.headers.etag)
      expect(after.bytes.includes('sent.txt')).toBe(true)
      expect(after.bytes.includes('removed.txt')).toBe(false)
      const stale = await visitor.send('GET', archive(), {
        headers: { Range: 'bytes=20-', 'If-Range': before.headers.etag ?? '' },
      })
      expect(stale.status).toBe(200)
      expect(stale.bytes.equals(after.bytes)).toBe(true)
    })

    test('afterwards the share is locked as before', async () => {
      expect(codeOf(await sendChunk(owner, shareId, { name: 'late.txt' }, 'x'))).toBe(
        'share_locked',
      )
      expect(codeOf(await owner.send('DELETE', file(keptId)))).toBe('share_locked')
      const late = await createUpload(owner, { shareId, filename: 'late.txt', lengthBytes: 1 })
      expect(codeOf(late)).toBe('share_locked')
    })
  })

  test('a download begun before the completion gets the old archive to its end', async () => {
    const sizeBytes = 8 * 1024 * 1024
    const names = ['a.bin', 'b.bin', 'c.bin', 'd.bin']
    const ids = await publish(
      Object.fromEntries(names.map((name) => [name, randomBytes(sizeBytes)])),
    )
    const before = await visitor.send('GET', archive())
    const running = await open(visitor, archive())
    const digest = createHash('sha256')
    const chunks = running[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    const first = await chunks.next()
    if (!first.done) digest.update(first.value)

    await reopen()
    for (const id of ids.slice(1)) await remove(id)
    await addFile(owner, shareId, 'new.txt', 'new')
    await completeShare(owner, shareId)
    expect(await visitorSees()).toEqual(['a.bin', 'new.txt'])

    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      digest.update(next.value)
    }
    expect(running.complete).toBe(true)
    expect(running.headers.etag).toBe(before.headers.etag)
    const expected = createHash('sha256').update(before.bytes).digest('hex')
    expect(digest.digest('hex')).toBe(expected)
  })

  test('a discarded edit leaves the share as it was, under downloads and for the next edit', async () => {
    const [keptId = ''] = await publish({ 'kept.txt': 'kept' })
    const before = await visitor.send('GET', archive())
    await reopen()
    await addFile(owner, shareId, 'added.txt', 'added')
    await remove(keptId)
    const unfinished = await beginUpload(owner, { shareId, filename: 'half.bin', lengthBytes: 10 })
    await append(owner, unfinished, 0, Buffer.alloc(5))

    const stranger = await createClient(floe.url).send('DELETE', `/api/shares/${shareId}/edit`)
    expect(stranger.status).toBe(403)
    const discarded = await owner.send('DELETE', `/api/shares/${shareId}/edit`)
    expect(discarded.status, discarded.text).toBe(200)
    expect(await ownerSees()).toEqual(['kept.txt'])
    expect((await visitor.send('GET', archive())).bytes.equals(before.bytes)).toBe(true)
    const late = await append(owner, unfinished, 5, Buffer.alloc(5))
    expect(late.status).toBe(404)
    const locked = await sendChunk(owner, shareId, { name: 'late.txt' }, Buffer.from('late'))
    expect(codeOf(locked)).toBe('share_locked')

    await reopen()
    await addFile(owner, shareId, 'next.txt', 'next')
    await completeShare(owner, shareId)
    expect(await visitorSees()).toEqual(['kept.txt', 'next.txt'])
  })

  test('an upload begun in one edit is finished in a later one', async () => {
    await publish({ 'first.txt': 'first' })
    await reopen()
    const path = await beginUpload(owner, { shareId, filename: 'slow.txt', lengthBytes: 8 })
    expect((await append(owner, path, 0, 'slow')).status).toBe(204)
    await completeShare(owner, shareId)
    expect(codeOf(await append(owner, path, 4, 'slow'))).toBe('share_locked')
    expect(await visitorSees()).toEqual(['first.txt'])

    await reopen()
    expect((await append(owner, path, 4, 'slow')).status).toBe(204)
    expect(await visitorSees()).toEqual(['first.txt'])
    await completeShare(owner, shareId)
    expect(await visitorSees()).toEqual(['first.txt', 'slow.txt'])
  })

  test('an edit that leaves no file is not published', async () => {
    const [id = ''] = await publish({ 'only.txt': 'only' })
    await reopen()
    await remove(id)
    const response = await owner.send('POST', `/api/shares/${shareId}/complete`)
    expect(codeOf(response)).toBe('share_without_files')
    expect(await visitorSees()).toEqual(['only.txt'])
    expect(await ownerSees()).toEqual([])
  })

  test('a share never published shows nothing, and forgets what is removed', async () => {
    shareId = await createShare(owner)
    const id = await addFile(owner, shareId, 'draft.txt', 'draft')
    await addFile(owner, shareId, 'final.txt', 'final')
    await reopen()
    await remove(id)
    expect((await createClient(floe.url).send('GET', archive())).status).toBe(404)
    expect((await openShare(createClient(floe.url), shareId)).status).toBe(404)
    // Its id is free again, as it always was before the first completion.
    expect((await sendChunk(owner, shareId, { id, name: 'draft.txt' }, 'again')).status).toBe(201)
    await completeShare(owner, shareId)
    visitor = createClient(floe.url)
    await openShare(visitor, shareId)
    expect(await visitorSees()).toEqual(['draft.txt', 'final.txt'])
  })
})

function namesOf(body: unknown): string[] {
  return (body as { files: { name: string }[] }).files.map(({ name }) => name)
}

async function open(client: Client, path: string): Promise<IncomingMessage> {
  const req = request(new URL(path, client.url), {
    headers: { Cookie: client.cookies.header(path) },
  })
  req.end()
  const [response] = (await once(req, 'response')) as [IncomingMessage]
  return response
}
