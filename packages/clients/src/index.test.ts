import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { afterEach, expect, it } from 'vitest'
import { sharePort } from '@floe/contracts'
import { createPortClient } from './index.ts'

let server: Server
afterEach(() => void server.close())

/** A service that responds so to every call. */
async function previewFrom(status: number, body: unknown): Promise<unknown> {
  server = createServer((_, res) => {
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = createPortClient(sharePort, { url: `http://127.0.0.1:${port}`, secret: 'secret' })
  try {
    return await client.previewShare({ shareId: 'holiday' })
  } finally {
    client.close()
  }
}

it('an error of the other service comes with its code, its message and all its members', async () => {
  const published = { statusCode: 403, error: 'Forbidden', message: 'Locked' }
  const body = { ...published, code: 'share_password_required', encrypted: true }
  await expect(previewFrom(403, body)).rejects.toMatchObject({
    name: 'AppError',
    code: 'share_password_required',
    message: 'Locked',
    members: { encrypted: true },
  })
})

it('a response that is none of ours says that the other service is away', async () => {
  const unavailable = { name: 'AppError', code: 'upstream_unavailable' }
  await expect(previewFrom(502, { code: 'gateway' })).rejects.toMatchObject(unavailable)
})
