import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { signUp } from '../world/accounts.ts'
import { type Client, createClient } from '../world/http-client.ts'
import { proxiesHere, type ReverseProxy, startReverseProxy } from '../world/reverse-proxy.ts'
import { createShare, openShare, publishShare } from '../world/shares.ts'
import { beginUpload, offsetStream } from '../world/tus.ts'

const mebibyte = 1024 * 1024
const content = randomBytes(24 * mebibyte)
const half = content.length / 2
const file = content.subarray(0, 9_000_000)
const clientAddress = process.platform === 'linux' ? '127.55.44.33' : '127.0.0.1'

describe.each(proxiesHere)('%s as the guide configures it', (name) => {
  let floe: RunningFloe
  let proxy: ReverseProxy
  let owner: Client
  let output = ''
  beforeAll(async () => {
    floe = await startFloe({
      arrangement: 'embedded',
      environment: { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'info' },
      onOutput: (chunk) => {
        output += chunk.toString()
      },
    })
    proxy = await startReverseProxy(name, floe.url)
    owner = await signUp(floe)
  })
  afterAll(async () => {
    await proxy?.stop()
    await floe?.stop()
  })

  /** Bytes of all objects at rest. */
  async function storedBytes(): Promise<number> {
    const directory = join(floe.dataDirectory, 'objects')
    if (!existsSync(directory)) return 0
    const entries = await readdir(directory, { recursive: true, withFileTypes: true })
    const sizes = await Promise.all(
      entries
        .filter((entry) => entry.isFile())
        .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
    )
    return sizes.reduce((sum, size) => sum + size, 0)
  }

  test('passes an upload on while it comes, whatever its size', async () => {
    const shareId = await createShare(owner)
    const upload = { shareId, filename: 'large.bin', lengthBytes: content.length }
    const path = await beginUpload(owner, upload)
    const before = await storedBytes()
    const sending = proxy.open(path, {
      method: 'PATCH',
      headers: {
        'Tus-Resumable': '1.0.0',
        'Upload-Offset': '0',
        'Content-Type': offsetStream,
        'Content-Length': content.length,
      },
    })
    sending.write(content.subarray(0, half))
    await vi.waitFor(async () => expect(await storedBytes()).toBeGreaterThan(before + half / 2), {
      timeout: 30_000,
    })
    sending.end(content.subarray(half))
    const [response] = (await once(sending, 'response')) as [IncomingMessage]
    response.resume()
    expect(response.statusCode).toBe(204)
    expect(response.headers['upload-offset']).toBe(String(content.length))
  })

  test('passes downloads on, whole and by range, with all their headers', async () => {
    const { id, fileIds } = await publishShare(owner, { 'data.bin': file })
    const visitor = createClient(floe.url)
    await openShare(visitor, id)
    const path = `/api/shares/${id}/files/${fileIds[0]}`
    const headers = { Cookie: visitor.cookies.header(path) }
    const whole = await proxy.get(path, { headers })
    expect(whole.head.statusCode).toBe(200)
    expect(whole.bytes.equals(file)).toBe(true)
    const direct = await visitor.send('HEAD', path)
    for (const header of ['content-length', 'etag', 'content-disposition', 'accept-ranges']) {
      expect(whole.head.headers[header], header).toBe(direct.headers[header])
    }
    const rest = await proxy.get(path, {
      headers: {
        ...headers,
        Range: `bytes=${file.length - 1000}-`,
        'If-Range': direct.headers.etag,
      },
    })
    expect(rest.head.statusCode).toBe(206)
    expect(rest.bytes.equals(file.subarray(-1000))).toBe(true)
  })

  test('tells Floe who asks, whatever the client claims', async () => {
    const { head } = await proxy.get('/api/health', {
      localAddress: clientAddress,
      headers: { 'X-Forwarded-For': '203.0.113.9', 'X-Real-IP': '203.0.113.9' },
    })
    expect(head.statusCode).toBe(200)
    const id = String(head.headers['x-request-id'])
    const logged = () => output.split('\n').find((one) => one.includes(id)) ?? ''
    await expect.poll(logged).toContain(`"clientAddress":"${clientAddress}"`)
  })

  test('tells Floe that the way is encrypted, and sends others to it', async () => {
    const { head } = await proxy.get('/', {})
    expect(head.headers['strict-transport-security']).toMatch(/^max-age=/)
    const response = await createClient(`http://127.0.0.1:${proxy.httpPort}`).send(
      'GET',
      '/upload',
      {
        headers: { Host: 'files.example.org' },
      },
    )
    // Traefik keeps the method of others than GET alike.
    expect(response.status).toBe(name === 'traefik' ? 301 : 308)
    expect(response.headers.location).toBe('https://files.example.org/upload')
  })
})
