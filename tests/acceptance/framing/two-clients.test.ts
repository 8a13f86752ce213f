import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { everyFloe } from '../world/arrangements.ts'
import { converse } from './raw-client.ts'
import { readRequests } from './reference-reader.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
/** Below it nothing is, and every response names the path that was asked for. */
const nothing = '/api/users/nobody'
const smuggled = `GET ${nothing}/smuggled HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 6.6.6.6\r\n\r\n`
const chunked = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`
const length = `Content-Length: ${smuggled.length}`
const coding = 'Transfer-Encoding: chunked'
const framings = [
  `${length}\r\n\r\n${smuggled}`,
  `${coding}\r\n\r\n${chunked}`,
  `${length}\r\n${coding}\r\n\r\n${chunked}`,
  `${length}\r\nConnection: content-length\r\n\r\n${smuggled}`,
  `${coding}\r\nConnection: transfer-encoding\r\n\r\n${chunked}`,
]

/** Asks for paths of its own, one after another on one connection, until it is told to end. */
async function watchOwnResponses(url: string, isOver: () => boolean): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const foreign: string[] = []
  for (let turn = 0; !isOver(); turn += 1) {
    const path = `${nothing}/victim-${turn}`
    const req = request(url + path, { agent })
    req.end()
    const [res] = (await once(req, 'response')) as [IncomingMessage]
    const body = await text(res)
    if (!body.includes(path)) foreign.push(`${path}: ${body}`)
  }
  agent.destroy()
  return foreign
}

test.each(everyFloe())(
  'no body becomes a request, and nobody gets the response to it, $arrangement',
  async ({ url }) => {
    const port = Number(new URL(url).port)
    let isOver = false
    const victims = Promise.all([1, 2].map(() => watchOwnResponses(url, () => isOver)))
    const counts: unknown[] = []
    for (const method of methods) {
      for (const framing of framings) {
        const head = `${method} ${nothing}/${method} HTTP/1.1\r\nHost: a\r\n`
        const next = `GET ${nothing}/next HTTP/1.1\r\nHost: a\r\n\r\n`
        const bytes = Buffer.from(head + framing + next)
        const { requests, end } = readRequests(bytes)
        const wanted = requests.length + (end === 'refused' ? 1 : 0)
        const { responses, garbage } = await converse({
          port,
          bytes,
          methods: requests.map((each) => each.method),
          responses: wanted,
        })
        counts.push({ method, framing, seen: responses.length, wanted, garbage })
      }
    }
    isOver = true
    expect(await victims).toEqual([[], []])
    expect(counts).toEqual(
      counts.map((each) => ({
        ...(each as { wanted: number }),
        seen: (each as { wanted: number }).wanted,
        garbage: null,
      })),
    )
  },
)
