import { PNG } from 'pngjs'
import { beforeAll, expect, test, vi } from 'vitest'
import { signUp } from './world/accounts.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { codeOf, openShare, publishShare } from './world/shares.ts'

interface ListedFile {
  id: string
  name: string
  thumbnail?: { width: number; height: number }
}

function paint(width: number, height: number): Buffer {
  const picture = new PNG({ width, height })
  for (let at = 0; at < picture.data.length; at += 4) {
    picture.data.set([at % 256, (at >> 8) % 256, 120, 255], at)
  }
  return PNG.sync.write(picture)
}

onOneArrangement('embedded', 'a thumbnail', (floe) => {
  let owner: Client
  beforeAll(async () => {
    owner = await signUp(floe)
  })

  async function listed(client: Client, shareId: string): Promise<ListedFile[]> {
    const { body } = await client.send('GET', `/api/shares/${shareId}`)
    return (body as { files: ListedFile[] }).files
  }

  test('of a picture is told in the list and looked at by who may read the share alone', async () => {
    const password = 'open sesame'
    const { id, fileIds } = await publishShare(
      owner,
      { 'trip/sea.png': paint(960, 640), 'notes.txt': 'notes', 'fake.jpg': 'not a picture' },
      { security: { password } },
    )
    const visitor = createClient(floe.url)
    await openShare(visitor, id, password)
    await vi.waitFor(
      async () => {
        const files = await listed(visitor, id)
        expect(files.map(({ name, thumbnail }) => [name, thumbnail])).toEqual([
          ['fake.jpg', undefined],
          ['notes.txt', undefined],
          ['trip/sea.png', { width: 480, height: 320 }],
        ])
      },
      { timeout: 30_000, interval: 200 },
    )
    const [seaPath = '', notesPath = '', fakePath = ''] = fileIds.map(
      (fileId) => `/api/shares/${id}/files/${fileId}/thumbnail`,
    )
    const response = await visitor.send('GET', seaPath)
    expect(response).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/webp',
        'content-disposition': 'inline; filename="thumbnail.webp"',
        'content-length': String(response.bytes.length),
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'cache-control': expect.stringContaining('private'),
      },
    })
    expect(response.bytes.subarray(8, 12).toString()).toBe('WEBP')
    const head = await visitor.send('HEAD', seaPath)
    expect(head).toMatchObject({ status: 200, headers: { etag: response.headers.etag } })
    const unchanged = { 'If-None-Match': response.headers.etag ?? '' }
    expect((await visitor.send('GET', seaPath, { headers: unchanged })).status).toBe(304)
    const part = await visitor.send('GET', seaPath, { headers: { Range: 'bytes=8-11' } })
    expect(part).toMatchObject({ status: 206, text: 'WEBP' })

    for (const path of [notesPath, fakePath, seaPath.replace(/[0-9a-f]{8}-/, '00000000-')]) {
      const none = await visitor.send('GET', path)
      expect(none.status, path).toBe(404)
      expect(codeOf(none), path).toBe('thumbnail_not_found')
    }
    const stranger = await createClient(floe.url).send('GET', seaPath)
    expect(stranger.status).toBe(403)
    expect(codeOf(stranger)).toBe('share_password_required')
    expect(stranger.headers.etag ?? 'none').not.toMatch(/^"/)
  })

  test('is gone at once with its share', async () => {
    const { id, fileIds } = await publishShare(owner, { 'sea.png': paint(60, 40) })
    const visitor = createClient(floe.url)
    await openShare(visitor, id)
    const path = `/api/shares/${id}/files/${fileIds[0]}/thumbnail`
    await vi.waitFor(async () => expect((await visitor.send('GET', path)).status).toBe(200), {
      timeout: 30_000,
      interval: 200,
    })
    expect((await owner.send('DELETE', `/api/shares/${id}`)).status).toBe(200)
    const response = await visitor.send('GET', path)
    expect([response.status, codeOf(response)]).toEqual([404, 'share_not_found'])
  })
})
