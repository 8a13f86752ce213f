import { createHash, randomBytes } from 'node:crypto'
import { beforeAll, expect, test, vi } from 'vitest'
import { signUp } from './world/accounts.ts'
import { onBothArrangements } from './world/arrangements.ts'
import { type HttpResponse, type Client, createClient } from './world/http-client.ts'
import { codeOf, openShare, publishShare, type PublishedShare } from './world/shares.ts'

onBothArrangements('a download', (floe) => {
  const content = randomBytes(200_000)
  let owner: Client
  let visitor: Client
  let share: PublishedShare
  let path: string
  beforeAll(async () => {
    owner = await signUp(floe)
    visitor = createClient(floe.url)
    share = await publishShare(owner, { 'data.bin': content, 'second.txt': 'second' })
    await openShare(visitor, share.id)
    path = `/api/shares/${share.id}/files/${share.fileIds[0]}`
  })

  const get = (headers: Record<string, string> = {}, target = path) =>
    visitor.send('GET', target, { headers })

  async function fileOf(name: string, bytes: Buffer | string = 'content', query = '') {
    const { id, fileIds } = await publishShare(owner, { [name]: bytes })
    const client = createClient(floe.url)
    await openShare(client, id)
    return client.send('GET', `/api/shares/${id}/files/${fileIds[0]}${query}`)
  }

  test('is whole, of known length and not to be cached by others', async () => {
    const response = await get()
    expect(response.status).toBe(200)
    expect(response.bytes.equals(content)).toBe(true)
    expect(response.headers).toMatchObject({
      'content-length': '200000',
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[^"]+"$/),
      'last-modified': expect.stringMatching(/GMT$/),
      'cache-control': expect.stringContaining('private'),
    })
  })

  test('responds to HEAD with the headers of GET and no bytes', async () => {
    const [head, whole] = [await visitor.send('HEAD', path), await get()]
    expect(head.status).toBe(200)
    expect(head.bytes.length).toBe(0)
    for (const name of ['content-length', 'etag', 'content-type', 'content-disposition']) {
      expect(head.headers[name], name).toBe(whole.headers[name])
    }
  })

  test.each([
    ['bytes=0-0', 0, 1],
    ['bytes=0-99', 0, 100],
    ['bytes=65535-131072', 65_535, 131_073],
    ['bytes=199999-', 199_999, 200_000],
    ['bytes=100000-', 100_000, 200_000],
    ['bytes=-1', 199_999, 200_000],
    ['bytes=-500000', 0, 200_000],
    ['bytes=199990-999999999', 199_990, 200_000],
  ])('responds to %s with exactly these bytes', async (range, start, end) => {
    const response = await get({ Range: range })
    expect(response.status).toBe(206)
    expect(response.headers['content-range']).toBe(`bytes ${start}-${end - 1}/200000`)
    expect(response.headers['content-length']).toBe(String(end - start))
    expect(response.bytes.equals(content.subarray(start, end))).toBe(true)
  })

  test.each(['bytes=200000-', 'bytes=999999999-', 'bytes=-0'])(
    'refuses %s and tells the length',
    async (range) => {
      const response = await get({ Range: range })
      expect(response.status).toBe(416)
      expect(response.headers['content-range']).toBe('bytes */200000')
      expect(codeOf(response)).toBe('range_not_satisfiable')
    },
  )

  test.each(['bytes=', 'bytes=-', 'bytes=a-b', 'bytes=5-2', 'lines=1-2', 'bytes=0-1,5-6', '0-1'])(
    'gives everything for %s',
    async (range) => {
      const response = await get({ Range: range })
      expect(response.status).toBe(200)
      expect(response.bytes.length).toBe(200_000)
    },
  )

  test('continues only what has not changed', async () => {
    const { etag = '', 'last-modified': modified = '' } = (await get()).headers
    const continued = (condition: string) => get({ Range: 'bytes=100-', 'If-Range': condition })
    expect((await continued(etag)).status).toBe(206)
    expect((await continued(modified)).status).toBe(206)
    for (const other of ['"other"', `W/${etag}`, 'Mon, 01 Jan 2024 00:00:00 GMT', 'nonsense']) {
      expect((await continued(other)).status, other).toBe(200)
    }
  })

  test('is not sent again to who has it', async () => {
    const { etag = '' } = (await get()).headers
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await get({ 'If-None-Match': tags })
      expect(response.status, tags).toBe(304)
      expect(response.bytes.length).toBe(0)
      expect(response.headers.etag).toBe(etag)
    }
    expect((await get({ 'If-None-Match': '"other"' })).status).toBe(200)
    expect((await get({ 'If-Match': '"other"' })).status).toBe(412)
  })

  test('of an empty file is empty', async () => {
    const response = await fileOf('empty.bin', '')
    expect(response).toMatchObject({ status: 200, headers: { 'content-length': '0' } })
  })

  test('tells the SHA-256 once the file is hashed', async () => {
    const digest = createHash('sha256').update(content).digest('base64')
    await vi.waitFor(
      async () => expect((await get()).headers['repr-digest']).toBe(`sha-256=:${digest}:`),
      { timeout: 30_000, interval: 200 },
    )
  })

  test.each([
    ['plain.txt', 'plain.txt', null],
    ['grüße 😀.txt', 'gr__e _.txt', 'gr%C3%BC%C3%9Fe%20%F0%9F%98%80.txt'],
    ['日本.pdf', '__.pdf', '%E6%97%A5%E6%9C%AC.pdf'],
    ['say "hi".txt', 'say _hi_.txt', 'say%20%22hi%22.txt'],
    ["50% (it's).txt", "50_ (it's).txt", '50%25%20%28it%27s%29.txt'],
    ['photos/2026/sea.jpg', 'sea.jpg', null],
    ['../../etc/passwd', 'passwd', null],
    ['..\\..\\boot.ini', 'boot.ini', null],
    ['a; filename=evil.exe', 'a; filename=evil.exe', null],
  ])('calls %s by its name', async (name, ascii, extended) => {
    const { headers } = await fileOf(name)
    expect(headers['content-disposition']).toBe(
      `attachment; filename="${ascii}"${extended === null ? '' : `; filename*=UTF-8''${extended}`}`,
    )
  })

  test('keeps the folders of names in the list of files', async () => {
    const { id } = await publishShare(owner, {
      'photos/2026/sea.jpg': 'sea',
      'photos/2026/sky.jpg': 'sky',
      '../../etc/passwd': 'mine',
    })
    const client = createClient(floe.url)
    await openShare(client, id)
    const { body } = await client.send('GET', `/api/shares/${id}`)
    const names = (body as { files: { name: string }[] }).files.map(({ name }) => name)
    expect(names.sort()).toEqual(['../../etc/passwd', 'photos/2026/sea.jpg', 'photos/2026/sky.jpg'])
  })

  test.each(['nul\u0000.txt', 'x'.repeat(1025), ''])('has no name such as %j', async (name) => {
    const { id } = await publishShare(owner, { 'good.txt': 'good' })
    await owner.send('DELETE', `/api/shares/${id}/complete`)
    const query = new URLSearchParams({ name, chunkIndex: '0', totalChunks: '1' })
    const response = await owner.send('POST', `/api/shares/${id}/files?${query.toString()}`, {
      bytes: 'x',
      headers: { 'Content-Type': 'application/octet-stream' },
    })
    expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  })

  test.each([
    ['picture.png', 'inline', 'image/png'],
    ['film.mp4', 'inline', 'video/mp4'],
    ['paper.pdf', 'inline', 'application/pdf'],
    ['notes.txt', 'inline', 'text/plain; charset=utf-8'],
    ['page.html', 'inline', 'text/plain; charset=utf-8'],
    ['code.js', 'inline', 'text/plain; charset=utf-8'],
    ['drawing.svg', 'inline', 'text/plain; charset=utf-8'],
    ['drawing.SVG', 'inline', 'text/plain; charset=utf-8'],
    ['Makefile', 'inline', 'text/plain; charset=utf-8'],
    ['page.html.', 'attachment', 'application/octet-stream'],
    ['archive.zip', 'attachment', 'application/zip'],
    ['unknown', 'attachment', 'application/octet-stream'],
  ])('shows %s as %s %s', async (name, kind, type) => {
    const response = await fileOf(name, '<script>alert(1)</script>', '?download=false')
    expect(response.headers['content-type']).toBe(type)
    expect(response.headers['content-disposition']).toMatch(new RegExp(`^${kind};`))
    expectHarmless(response)
  })

  test.each(['page.html', 'drawing.svg', 'page.xhtml', 'feed.xml', 'code.mjs', 'style.css'])(
    'of %s never runs as the site',
    async (name) => {
      const response = await fileOf(name, '<script>alert(1)</script>')
      expect(response.headers['content-type']).toBe('application/octet-stream')
      expect(response.headers['content-disposition']).toMatch(/^attachment;/)
      expectHarmless(response)
    },
  )

  test('of an archive has the name of the share and every guard of a file', async () => {
    const response = await get({}, `/api/shares/${share.id}/files/zip`)
    expect(response.status).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${share.id}.zip"`,
      'content-length': String(response.bytes.length),
      'accept-ranges': 'bytes',
    })
    expectHarmless(response)
  })
})

function expectHarmless({ headers }: HttpResponse): void {
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(headers['content-security-policy']).not.toMatch(/script-src [^;]*(self|unsafe)/)
}
