import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'

export interface Told {
  headers: IncomingHttpHeaders
  body: { type: string; timestamp: string; data: Record<string, unknown> }
  raw: string
}

export interface WebhookReceiver {
  url: string
  server: Server
  told: readonly Told[]
  /** What it is told of this kind about something, once it is there. */
  hear(type: string, about: Record<string, unknown>): Promise<Told>
}

/** On this machine, where a Floe sends nothing unless `WEBHOOK_NETWORKS` lets it. */
export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const told: Told[] = []
  const server = createServer(async (req, res) => {
    const raw = await text(req)
    told.push({ headers: req.headers, raw, body: JSON.parse(raw) as Told['body'] })
    res.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    server,
    told,
    async hear(type, about) {
      const isIt = ({ body }: Told) =>
        body.type === type &&
        Object.entries(about).every(([key, value]) => body.data[key] === value)
      await expect.poll(() => told.filter(isIt).length, { timeout: 30_000 }).toBe(1)
      return told.find(isIt) as Told
    },
  }
}
