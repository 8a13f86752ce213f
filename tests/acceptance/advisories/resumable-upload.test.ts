import { randomBytes, randomUUID } from 'node:crypto'
import { routes } from '@floe/contracts'
import { beforeAll, expect, test } from 'vitest'
import { signUp } from '../world/accounts.ts'
import { onOneArrangement } from '../world/arrangements.ts'
import type { Client } from '../world/http-client.ts'
import { createReverseShare, findOwn, openSender } from '../world/reverse-shares.ts'
import { codeOf, completeShare, createShare, sendChunk } from '../world/shares.ts'
import { append, beginUpload, createUpload, offsetOf, sendTus } from '../world/tus.ts'

onOneArrangement('embedded', 'resumable uploads', (floe) => {
  let owner: Client
  beforeAll(async () => {
    owner = await signUp(floe)
  })

  async function filesOf(shareId: string): Promise<{ name: string; text: string }[]> {
    const { body } = await owner.send('GET', `/api/shares/${shareId}/from-owner`)
    const { files } = body as { files: { id: string; name: string }[] }
    return Promise.all(
      files.map(async ({ id, name }) => {
        const file = await owner.send('GET', `/api/shares/${shareId}/files/${id}`)
        return { name, text: file.text }
      }),
    )
  }

  test('GHSA-ffv3-7h97-993q: no request writes past the length, whether or not it says its own', async () => {
    const shareId = await createShare(owner)
    const path = await beginUpload(owner, { shareId, filename: 'a', lengthBytes: 4 })
    const chunked = { 'Transfer-Encoding': 'chunked' }
    for (const headers of [{}, chunked, { 'Upload-Length': '5' }]) {
      const response = await append(owner, path, 0, 'hello', headers)
      expect(response.status, JSON.stringify(headers)).toBeGreaterThanOrEqual(400)
      expect(response.status).toBeLessThan(500)
    }
    const rest = await offsetOf(owner, path)
    expect(rest).toBeLessThanOrEqual(4)
    expect((await append(owner, path, rest, 'hell'.slice(rest))).status).toBe(204)
    await completeShare(owner, shareId)
    expect(await filesOf(shareId)).toEqual([{ name: 'a', text: 'hell' }])
  })

  test('sharry#1.16: the length is told once, whatever later pieces say', async () => {
    const shareId = await createShare(owner)
    const path = await beginUpload(owner, { shareId, filename: 'a', lengthBytes: 9 })
    expect((await append(owner, path, 0, 'one')).status).toBe(204)
    for (const length of ['3', '6', '90']) {
      const response = await append(owner, path, 3, 'two', { 'Upload-Length': length })
      expect(codeOf(response), length).toBe('upload_length_conflict')
    }
    expect((await append(owner, path, 3, 'two')).status).toBe(204)
    const head = await sendTus(owner, 'HEAD', path)
    expect(head.headers).toMatchObject({ 'upload-length': '9', 'upload-offset': '6' })
    expect((await append(owner, path, 6, 'six')).status).toBe(204)
    await completeShare(owner, shareId)
    expect(await filesOf(shareId)).toEqual([{ name: 'a', text: 'onetwosix' }])
  })

  test('filesender#80: what was begun as one file is not continued as another', async () => {
    const [first, second] = [await createShare(owner), await createShare(owner)]
    const id = randomUUID()
    const chunk = (shareId: string, name: string, index: number, text: string) =>
      sendChunk(owner, shareId, { id, name, index, total: 2 }, text)
    expect((await chunk(first, 'mine.txt', 0, 'begun ')).status).toBe(201)
    const elsewhere = await chunk(second, 'theirs.txt', 1, 'and mixed')
    expect(elsewhere.status, elsewhere.text).toBeGreaterThanOrEqual(400)
    expect((await chunk(first, 'mine.txt', 1, 'and ended')).status).toBe(201)
    await completeShare(owner, first)
    expect(await filesOf(first)).toEqual([{ name: 'mine.txt', text: 'begun and ended' }])
    expect(await filesOf(second)).toEqual([])
  })

  test('filebrowser@0b925cbc: a piece that is refused gets its response, however much of it is to come', async () => {
    const shareId = await createShare(owner)
    const path = await beginUpload(owner, { shareId, filename: 'a', lengthBytes: 50_000_000 })
    const response = await append(owner, path, 7, randomBytes(30_000_000))
    expect(codeOf(response)).toBe('upload_offset_conflict')
    expect(await offsetOf(owner, path)).toBe(0)
  })

  test('pingvin-share-x#2.0.0-beta.0: what arrives is counted, and nobody writes past the server', async () => {
    const token = await createReverseShare(owner, { maxShareSize: '1000' })
    const sender = openSender(floe, token)
    const shareId = await createShare(sender)
    const path = await beginUpload(sender, { shareId, filename: 'deferred.bin' })
    expect(codeOf(await append(sender, path, 0, Buffer.alloc(1_001)))).toBe('share_too_large')
    const declared = { shareId, filename: 'a', lengthBytes: 10, bytes: Buffer.alloc(2_000) }
    expect((await createUpload(sender, declared)).status).toBe(413)
    expect((await append(sender, path, 0, Buffer.alloc(900))).status).toBe(204)
    const done = await append(sender, path, 900, '', { 'Upload-Length': '900' })
    expect(done.status).toBe(204)
    await completeShare(sender, shareId)
    expect((await findOwn(owner, token))?.shares).toMatchObject([{ id: shareId, size: 900 }])
    // The only ways to put bytes somewhere; a visitor has none.
    const writing = Object.entries(routes).filter(
      ([, { tag, method, access }]) =>
        /Files|Uploads/.test(tag) && /post|put|patch/.test(method) && access !== 'share visitor',
    )
    expect(writing.map(([name]) => name).sort()).toEqual([
      // These and direct ones never through a reverse share.
      'appendResumable',
      'appendToUpload',
      'createUpload',
      'overrideUploadMethod',
      'postFile',
      'postForm',
      'putFile',
      'uploadBatch',
      'uploadChunk',
    ])
  })
})
