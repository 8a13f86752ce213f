import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import * as tus from 'tus-js-client'
import { beforeAll, expect, test, vi } from 'vitest'
import { signUp } from './world/accounts.ts'
import { createScript, makeToken } from './world/api-tokens.ts'
import { onOneArrangement } from './world/arrangements.ts'
import type { Client } from './world/http-client.ts'
import { readDirectShare } from './world/shares.ts'

const partial = 'application/partial-upload'
/** An option that its types do not name yet. */
const byTheDraft = { protocol: 'ietf-draft-05' }

onOneArrangement('split', 'resumable uploads', (floe) => {
  let owner: Client
  let token: string
  let script: Client

  beforeAll(async () => {
    owner = await signUp(floe)
    ;({ token } = await makeToken(owner, { scopes: ['shares:write'] }))
    script = createScript(floe.url, token)
  })

  async function create(bytes: Buffer, headers: Record<string, string> = {}) {
    const response = await script.send('PUT', '/up/a.bin', {
      bytes,
      headers: { 'Upload-Complete': '?0', ...headers },
    })
    expect(response.status, response.text).toBe(201)
    return { response, location: String(response.headers.location) }
  }

  const append = (path: string, offset: number, bytes: Buffer | string, complete: '?0' | '?1') =>
    script.send('PATCH', path, {
      bytes,
      headers: {
        'Content-Type': partial,
        'Upload-Offset': String(offset),
        'Upload-Complete': complete,
      },
    })

  /** Sends the beginning of a body, and reads what comes until it matches. */
  async function sendHalf(head: string[], bytes: Buffer, until: RegExp): Promise<string> {
    const { hostname, port, host } = new URL(floe.url)
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.setEncoding('latin1').on('data', (text: string) => (received += text))
    const lines = [`Host: ${host}`, `Authorization: Bearer ${token}`, ...head.slice(1)]
    socket.write(`${head[0]} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    socket.write(bytes)
    await vi.waitFor(() => expect(received).toMatch(until), 10_000)
    socket.destroy()
    return received
  }

  test('a file comes in pieces, and its last one responds with the link', async () => {
    const content = randomBytes(900_000)
    const { response, location } = await create(content.subarray(0, 400_000), {
      'X-Expires': '3-days',
    })
    expect(response.headers['upload-offset']).toBe('400000')
    expect(response.headers['upload-complete']).toBe('?0')
    expect(response.headers['upload-limit']).toContain('max-age=86400')
    const second = await append(location, 400_000, content.subarray(400_000, 600_000), '?0')
    expect(second.status).toBe(204)
    expect(second.headers['upload-offset']).toBe('600000')
    const told = await script.send('HEAD', location)
    expect(told.status).toBe(204)
    expect(told.headers).toMatchObject({ 'upload-offset': '600000', 'upload-complete': '?0' })
    expect(told.headers['cache-control']).toBe('no-store')
    const last = await append(location, 600_000, content.subarray(600_000), '?1')
    expect(last.status).toBe(201)
    expect(last.headers).toMatchObject({ 'upload-offset': '900000', 'upload-complete': '?1' })
    expect(await readDirectShare(floe.url, last.text)).toEqual(content)
    const shares = (await owner.send('GET', '/api/shares')).body as Record<string, string>[]
    const share = shares.find(({ id }) => last.text.includes(String(id)))
    const days = (Date.parse(share?.['expiration'] ?? '') - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(3, 1)
    const after = await script.send('HEAD', location)
    expect(after.headers).toMatchObject({
      'upload-complete': '?1',
      'upload-length': '900000',
      location: last.text.trim(),
    })
  })

  test('a request that is cut goes on where it ended, at the address that 104 told', async () => {
    const content = randomBytes(2_000_000)
    const head = [
      'PUT /up/cut.bin',
      'Upload-Complete: ?1',
      'Upload-Draft-Interop-Version: 8',
      `Content-Length: ${content.length}`,
    ]
    const told = await sendHalf(head, content.subarray(0, 1_200_000), /104 .*\r\n\r\n/s)
    expect(told).toMatch(/^HTTP\/1\.1 104 Upload Resumption Supported\r\n/)
    const location = /location: (.*)\r\n/i.exec(told)?.[1] ?? ''
    // The upload was begun before 104 was told; how much of it came depends on the way.
    const { headers } = await script.send('HEAD', location)
    expect(headers['upload-length']).toBe('2000000')
    const offset = Number(headers['upload-offset'])
    const last = await append(location, offset, content.subarray(offset), '?1')
    expect(last.status, last.text).toBe(201)
    expect(await readDirectShare(floe.url, last.text)).toEqual(content)
  })

  test('104 is for clients of the version that knows it', async () => {
    const head = ['PUT /up/a.txt', 'Upload-Complete: ?1', 'Content-Length: 1']
    const told = await sendHalf(head, Buffer.from('x'), /\/s\/.*\n/)
    expect(told).toMatch(/^HTTP\/1\.1 201 /)
  })

  test('is given up with its share, and by its sender alone', async () => {
    const mine = await signUp(floe)
    const other = createScript(floe.url, (await makeToken(mine)).token)
    const { location } = await create(Buffer.from('abc'))
    expect((await other.send('DELETE', location)).status).toBe(403)
    const theirs = { 'Content-Type': partial, 'Upload-Offset': '3', 'Upload-Complete': '?1' }
    expect((await other.send('PATCH', location, { bytes: 'x', headers: theirs })).status).toBe(403)
    expect((await script.send('DELETE', location)).status).toBe(204)
    expect((await script.send('HEAD', location)).status).toBe(404)
  })

  test.each<[string, Partial<tus.UploadOptions>]>([
    ['in one request', {}],
    ['in pieces', { chunkSize: 300_000 }],
  ])('tus-js-client sends a file %s by the draft', async (_, options) => {
    const content = randomBytes(1_000_003)
    const known = ((await owner.send('GET', '/api/shares')).body as unknown[]).length
    await new Promise<void>((resolve, reject) => {
      new tus.Upload(content, {
        endpoint: `${floe.url}/up/draft.bin`,
        ...byTheDraft,
        headers: { Authorization: `Bearer ${token}` },
        retryDelays: [],
        onSuccess: () => resolve(),
        onError: reject,
        ...options,
      }).start()
    })
    const shares = (await owner.send('GET', '/api/shares')).body as { id: string; size: number }[]
    expect(shares).toHaveLength(known + 1)
    const [newest] = shares.filter(({ size }) => size === content.length)
    expect(await readDirectShare(floe.url, newest?.id ?? '')).toHaveLength(content.length)
  })
})
