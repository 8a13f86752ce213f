import { type ErrorCode, type RouteContract, routes } from '@floe/contracts'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

export interface ApiRequest {
  method: string
  path: string
  search: URLSearchParams
  body: unknown
}

interface ApiResponse {
  status: number
  /** Sent as JSON; bytes as they are. */
  body?: unknown
  headers?: Record<string, string>
}

type Handler = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>

/** By method and path, such as `GET /api/shares`. */
export type Handlers = Record<string, Handler>

export interface ApiServer {
  origin: string
  /** Every call that changes something, in order. */
  changes: { call: string; body: unknown }[]
  /** Every call by method and path, in order. */
  calls: string[]
  handle(handlers: Handlers): void
  close(): Promise<void>
}

export const ok =
  (body: unknown, headers: Record<string, string> = {}): Handler =>
  () => ({ status: 200, body, headers })

export const done: Handler = () => ({ status: 204 })

export const refuse =
  (status: number, code: ErrorCode, headers: Record<string, string> = {}): Handler =>
  () => ({ status, body: { statusCode: status, code, message: code }, headers })

/** Refuses what it has no handler for, and a body that the API's contract does not allow. */
export async function startApiServer(handlers: Handlers): Promise<ApiServer> {
  let current = handlers
  const changes: ApiServer['changes'] = []
  const calls: string[] = []

  async function respond(message: IncomingMessage): Promise<ApiResponse> {
    const url = new URL(message.url ?? '/', 'http://loopback')
    const method = message.method ?? 'GET'
    const call = `${method} ${url.pathname}`
    const sent = await text(message)
    const body: unknown = sent === '' ? undefined : JSON.parse(sent)
    calls.push(call)
    if (method !== 'GET') changes.push({ call, body })
    const request = { method, path: url.pathname, search: url.searchParams, body }
    if (!isAllowed(request)) return refuse(400, 'validation_failed')(request)
    return (current[call] ?? refuse(404, 'share_not_found'))(request)
  }

  const server = createServer((message, response) => {
    void respond(message).then(({ status, body, headers }) => {
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
      response.end(body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    changes,
    calls,
    handle: (more) => void (current = { ...current, ...more }),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function isAllowed({ method, path, body }: ApiRequest): boolean {
  const route = Object.values<RouteContract>(routes).find(
    (candidate) =>
      candidate.method === method.toLowerCase() &&
      new RegExp(`^${candidate.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
  )
  return route?.body?.safeParse(body ?? {}).success ?? true
}
