import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { writePrefixChecksum } from '@floe/contracts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { signInAsAdmin, signUp } from './world/accounts.ts'
import { onBothArrangements } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { codeOf, completeShare, createShare, openShare } from './world/shares.ts'
import { append, beginUpload, createUpload, offsetOf, offsetStream, sendTus } from './world/tus.ts'

onBothArrangements('tus', (floe) => {
  let owner: Client
  /** Knows an upload's URL and has no cookies: the URL is the capability. */
  let bearer: Client
  beforeAll(async () => {
    owner = await signUp(floe)
    bearer = createClient(floe.url)
  })

  async function contentOf(shareId: string): Promise<Buffer> {
    await completeShare(owner, shareId)
    const visitor = createClient(floe.url)
    await openShare(visitor, shareId)
    const share = await visitor.send('GET', `/api/shares/${shareId}`)
    const { files } = share.body as { files: { id: string }[] }
    expect(files).toHaveLength(1)
    return (await visitor.send('GET', `/api/shares/${shareId}/files/${files[0]?.id}`)).bytes
  }

  test('tells its version, extensions and checksums', async () => {
    const response = await bearer.send('OPTIONS', '/api/uploads')
    expect(response.status).toBe(204)
    expect(response.headers['tus-version']).toBe('1.0.0')
    expect(response.headers['tus-extension']?.toString().split(',').sort()).toEqual([
      'checksum',
      'concatenation',
      'creation',
      'creation-defer-length',
      'creation-with-upload',
      'expiration',
      'termination',
    ])
    expect(response.headers['tus-checksum-algorithm']).toContain('sha1')
  })

  test('takes a file in pieces', async () => {
    const shareId = await createShare(owner)
    const content = randomBytes(300_000)
    const path = await beginUpload(owner, { shareId, filename: 'a.bin', lengthBytes: 300_000 })
    expect(await offsetOf(bearer, path)).toBe(0)
    const first = await append(bearer, path, 0, content.subarray(0, 100_001))
    expect(first.status).toBe(204)
    expect(first.headers['upload-offset']).toBe('100001')
    expect(Date.parse(first.headers['upload-expires']?.toString() ?? '')).toBeGreaterThan(
      Date.now(),
    )
    const head = await sendTus(bearer, 'HEAD', path)
    expect(head.headers).toMatchObject({
      'upload-offset': '100001',
      'upload-length': '300000',
      'upload-checksum': writePrefixChecksum(crc32(content.subarray(0, 100_001))),
      'cache-control': 'no-store',
      'tus-resumable': '1.0.0',
    })
    const last = await append(bearer, path, 100_001, content.subarray(100_001))
    expect(last.headers['upload-offset']).toBe('300000')
    expect((await contentOf(shareId)).equals(content)).toBe(true)
  })

  test('takes a file with its creation, whole or in part', async () => {
    const shareId = await createShare(owner)
    const whole = await createUpload(owner, {
      shareId,
      filename: 'whole.txt',
      lengthBytes: 5,
      bytes: 'whole',
    })
    expect(whole.status).toBe(201)
    expect(whole.headers['upload-offset']).toBe('5')
    const otherId = await createShare(owner)
    const part = await createUpload(owner, {
      shareId: otherId,
      filename: 'part.txt',
      lengthBytes: 8,
      bytes: 'some',
    })
    expect(part.headers['upload-offset']).toBe('4')
    await append(bearer, part.headers.location ?? '', 4, ' now')
    expect((await contentOf(otherId)).toString()).toBe('some now')
    expect((await contentOf(shareId)).toString()).toBe('whole')
  })

  test('takes a file without bytes', async () => {
    const shareId = await createShare(owner)
    await beginUpload(owner, { shareId, filename: 'empty.txt', lengthBytes: 0 })
    expect((await contentOf(shareId)).length).toBe(0)
  })

  test('learns the length later, and only once', async () => {
    const shareId = await createShare(owner)
    const path = await beginUpload(owner, { shareId, filename: 'a.txt' })
    const head = await sendTus(bearer, 'HEAD', path)
    expect(head.headers['upload-defer-length']).toBe('1')
    expect(head.headers['upload-length']).toBeUndefined()
    await append(bearer, path, 0, 'later')
    const told = await append(bearer, path, 5, '!', { 'Upload-Length': '8' })
    expect(told.status).toBe(204)
    const again = await append(bearer, path, 6, '?', { 'Upload-Length': '7' })
    expect(again).toMatchObject({ status: 400, body: { code: 'upload_length_conflict' } })
    await append(bearer, path, 6, '!!')
    expect((await contentOf(shareId)).toString()).toBe('later!!!')
  })

  test('forgets a terminated upload', async () => {
    const shareId = await createShare(owner)
    const path = await beginUpload(owner, { shareId, filename: 'a.txt', lengthBytes: 9 })
    await append(bearer, path, 0, 'some')
    expect((await sendTus(bearer, 'DELETE', path)).status).toBe(204)
    for (const method of ['HEAD', 'DELETE']) {
      expect([404, 410]).toContain((await sendTus(bearer, method, path)).status)
    }
    expect([404, 410]).toContain((await append(bearer, path, 4, 'more')).status)
  })

  describe('checksum', () => {
    const digests: [string, (bytes: string) => Buffer][] = [
      ['sha1', (bytes) => createHash('sha1').update(bytes).digest()],
      ['sha256', (bytes) => createHash('sha256').update(bytes).digest()],
      ['md5', (bytes) => createHash('md5').update(bytes).digest()],
      ['crc32', (bytes) => uint32(crc32(bytes))],
    ]
    test.each(digests)('%s refuses wrong bytes and keeps the offset', async (name, digest) => {
      const shareId = await createShare(owner)
      const path = await beginUpload(owner, { shareId, filename: 'a.txt', lengthBytes: 10 })
      const checked = (offset: number, bytes: string, digestOf = bytes) =>
        append(bearer, path, offset, bytes, {
          'Upload-Checksum': `${name} ${digest(digestOf).toString('base64')}`,
        })
      expect((await checked(0, 'right')).status).toBe(204)
      const wrong = await checked(5, 'wrong', 'right')
      expect(wrong).toMatchObject({ status: 460, body: { code: 'upload_checksum_mismatch' } })
      expect(await offsetOf(bearer, path)).toBe(5)
      expect((await checked(5, 'bytes')).status).toBe(204)
      expect((await contentOf(shareId)).toString()).toBe('rightbytes')
    })

    test('refuses an unknown algorithm', async () => {
      const shareId = await createShare(owner)
      const path = await beginUpload(owner, { shareId, filename: 'a.txt', lengthBytes: 1 })
      const response = await append(bearer, path, 0, 'a', { 'Upload-Checksum': 'rot13 AAAA' })
      expect(response).toMatchObject({ status: 400, body: { code: 'upload_checksum_unsupported' } })
    })
  })

  describe('concatenation', () => {
    const partial = { 'Upload-Concat': 'partial' }

    test('joins parts in the order named', async () => {
      const shareId = await createShare(owner)
      const begin = (lengthBytes: number) =>
        beginUpload(owner, { shareId, filename: 'a', lengthBytes, headers: partial })
      const [first, second] = [await begin(6), await begin(5)]
      const unfinished = await joinParts(shareId, [first, second])
      expect(unfinished).toMatchObject({ status: 400, body: { code: 'upload_parts_unfinished' } })
      await append(bearer, second, 0, 'parts')
      await append(bearer, first, 0, 'joined')
      const joined = await joinParts(shareId, [first, second])
      expect(joined.status, joined.text).toBe(201)
      const path = joined.headers.location ?? ''
      const head = await sendTus(bearer, 'HEAD', path)
      expect(head.headers).toMatchObject({ 'upload-offset': '11', 'upload-length': '11' })
      expect(head.headers['upload-concat']).toMatch(/^final;/)
      expect([400, 403]).toContain((await append(bearer, path, 11, 'x')).status)
      expect((await contentOf(shareId)).toString()).toBe('joinedparts')
    })

    test('refuses parts that do not exist', async () => {
      const shareId = await createShare(owner)
      const response = await joinParts(shareId, ['/api/uploads/AAAAAAAAAAAAAAAAAAAAAA'])
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.status).toBeLessThan(500)
    })

    function joinParts(shareId: string, paths: string[]) {
      const metadata = `shareId ${encode(shareId)},filename ${encode('joined.txt')}`
      return sendTus(owner, 'POST', '/api/uploads', {
        headers: { 'Upload-Concat': `final;${paths.join(' ')}`, 'Upload-Metadata': metadata },
      })
    }
  })

  describe('refusals', () => {
    test('a wrong offset changes nothing', async () => {
      const shareId = await createShare(owner)
      const path = await beginUpload(owner, { shareId, filename: 'a', lengthBytes: 10 })
      await append(bearer, path, 0, 'hello')
      for (const offset of [0, 4, 6, 10, 11]) {
        const response = await append(bearer, path, offset, 'x')
        expect(response).toMatchObject({ status: 409, body: { code: 'upload_offset_conflict' } })
      }
      expect(await offsetOf(bearer, path)).toBe(5)
    })

    test('a missing or unknown version is told the ones we speak', async () => {
      const shareId = await createShare(owner)
      const path = await beginUpload(owner, { shareId, filename: 'a', lengthBytes: 10 })
      for (const [method, target] of [
        ['POST', '/api/uploads'],
        ['HEAD', path],
        ['PATCH', path],
        ['DELETE', path],
      ] as const) {
        for (const headers of [{}, { 'Tus-Resumable': '0.2.2' }]) {
          const response = await owner.send(method, target, { headers })
          expect(response.status, `${method} ${target}`).toBe(412)
          expect(response.headers['tus-version']).toBe('1.0.0')
        }
      }
    })

    test('another content type', async () => {
      const shareId = await createShare(owner)
      const path = await beginUpload(owner, { shareId, filename: 'a', lengthBytes: 10 })
      const headers = { 'Content-Type': 'application/octet-stream' }
      expect((await append(bearer, path, 0, 'hello', headers)).status).toBe(415)
      expect(await offsetOf(bearer, path)).toBe(0)
    })

    test('bytes past the declared length', async () => {
      const shareId = await createShare(owner)
      const path = await beginUpload(owner, { shareId, filename: 'a', lengthBytes: 4 })
      const response = await append(bearer, path, 0, 'hello')
      expect(response).toMatchObject({ status: 413, body: { code: 'upload_length_exceeded' } })
      expect(await offsetOf(bearer, path)).toBeLessThanOrEqual(4)
    })

    test.each([
      ['no length', { 'Upload-Metadata': 'x' }],
      ['a negative length', { 'Upload-Length': '-1' }],
      ['a huge length', { 'Upload-Length': '9'.repeat(30) }],
      ['a length that is no number', { 'Upload-Length': '1e3' }],
      ['a length that is told and deferred', { 'Upload-Length': '1', 'Upload-Defer-Length': '1' }],
      ['no metadata', { 'Upload-Length': '1' }],
      ['metadata that is not base64', { 'Upload-Length': '1', 'Upload-Metadata': 'shareId ???' }],
      ['no share', { 'Upload-Length': '1', 'Upload-Metadata': 'filename YQ==' }],
    ])('%s', async (_what, headers) => {
      const response = await sendTus(owner, 'POST', '/api/uploads', { headers })
      expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    })

    test('the share of somebody else, of nobody and a completed one', async () => {
      const shareId = await createShare(owner)
      const upload = { shareId, filename: 'a', lengthBytes: 1 }
      expect((await createUpload(createClient(floe.url), upload)).status).toBe(403)
      expect((await createUpload(await signUp(floe), upload)).status).toBe(403)
      const absent = await createUpload(owner, { ...upload, shareId: 'no-such-share' })
      expect(absent.status).toBe(404)
      await createUpload(owner, { ...upload, bytes: 'x' })
      await completeShare(owner, shareId)
      const locked = await createUpload(owner, upload)
      expect(locked).toMatchObject({ status: 400, body: { code: 'share_locked' } })
    })
  })

  describe('with a limit for shares', () => {
    let admin: Client
    const setMaxSize = async (value: number) => {
      const json = [{ key: 'share.maxSize', value }]
      expect((await admin.send('PATCH', '/api/configs/admin', { json })).status).toBe(200)
      // Other replicas hear of it within a second.
      await vi.waitFor(async () => {
        const response = await bearer.send('OPTIONS', '/api/uploads')
        expect(Number(response.headers['tus-max-size'] ?? 0)).toBe(value)
      }, 5_000)
    }
    beforeAll(async () => {
      admin = await signInAsAdmin(floe)
      await setMaxSize(1_000)
    })
    afterAll(() => setMaxSize(0))

    test('refuses what would not fit, by declaration and by bytes', async () => {
      const shareId = await createShare(owner)
      const tooLong = await createUpload(owner, { shareId, filename: 'a', lengthBytes: 1_001 })
      expect(tooLong).toMatchObject({ status: 413 })
      expect(codeOf(tooLong)).toBe('share_too_large')
      expect(tooLong.body).toEqual({ statusCode: 413, message: 'Max share size exceeded' })
      const path = await beginUpload(owner, { shareId, filename: 'b' })
      expect((await append(bearer, path, 0, Buffer.alloc(600))).status).toBe(204)
      expect((await append(bearer, path, 600, Buffer.alloc(600))).status).toBe(413)
      const told = await append(bearer, path, await offsetOf(bearer, path), '', {
        'Upload-Length': '1200',
      })
      expect(told.status).toBe(413)
    })

    test('counts what other uploads of the share have reserved', async () => {
      const shareId = await createShare(owner)
      await beginUpload(owner, { shareId, filename: 'a', lengthBytes: 700 })
      const second = await createUpload(owner, { shareId, filename: 'b', lengthBytes: 700 })
      expect(second.status).toBe(413)
    })
  })

  test('an upload ends with its share', async () => {
    const shareId = await createShare(owner)
    const path = await beginUpload(owner, { shareId, filename: 'a', lengthBytes: 10 })
    await append(bearer, path, 0, 'hello')
    expect((await owner.send('DELETE', `/api/shares/${shareId}`)).status).toBe(200)
    expect([404, 410]).toContain((await append(bearer, path, 5, 'world')).status)
    expect([404, 410]).toContain((await sendTus(bearer, 'HEAD', path)).status)
  })

  test('a client that lost the final response learns from HEAD that all is there', async () => {
    const shareId = await createShare(owner)
    const path = await beginUpload(owner, { shareId, filename: 'a', lengthBytes: 5 })
    await append(bearer, path, 0, 'whole')
    expect(await offsetOf(bearer, path)).toBe(5)
    expect((await append(bearer, path, 0, 'whole')).status).toBe(409)
    expect((await contentOf(shareId)).toString()).toBe('whole')
  })

  test('takes other methods inside a POST', async () => {
    const shareId = await createShare(owner)
    const path = await beginUpload(owner, { shareId, filename: 'a', lengthBytes: 5 })
    const post = (method: string, headers = {}, bytes = '') =>
      sendTus(bearer, 'POST', path, {
        bytes,
        headers: { 'X-HTTP-Method-Override': method, ...headers },
      })
    const patched = await post(
      'PATCH',
      { 'Upload-Offset': '0', 'Content-Type': offsetStream },
      'some',
    )
    expect(patched.status).toBe(204)
    expect((await post('HEAD')).headers['upload-offset']).toBe('4')
    expect((await post('GET')).status).toBe(405)
    expect((await post('DELETE')).status).toBe(204)
    expect([404, 410]).toContain((await sendTus(bearer, 'HEAD', path)).status)
  })

  test('lists what the signed-in user has not finished', async () => {
    const user = await signUp(floe)
    const shareId = await createShare(user)
    const path = await beginUpload(user, { shareId, filename: 'a.txt', lengthBytes: 5 })
    await append(bearer, path, 0, 'som')
    const { body } = await user.send('GET', '/api/uploads')
    expect(body).toMatchObject([{ url: path, shareId, name: 'a.txt', sizeBytes: 5 }])
    expect((await owner.send('GET', '/api/uploads')).text).not.toContain(path)
  })
})

function encode(text: string): string {
  return Buffer.from(text).toString('base64')
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
