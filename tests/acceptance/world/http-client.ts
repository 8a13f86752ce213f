import { randomInt } from 'node:crypto'
import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { noteResponse } from './responses.ts'
import { noteSecrets } from './secrets.ts'

export interface HttpResponse {
  status: number
  headers: IncomingHttpHeaders
  /** Names and values in turn, as they were sent. */
  rawHeaders: readonly string[]
  bytes: Buffer
  text: string
  /** The parsed body; the text itself where it is not JSON. */
  body: unknown
}

export interface SendOptions {
  /** Sent as JSON. */
  json?: unknown
  /** Sent as it is. */
  bytes?: Buffer | string
  headers?: Record<string, string>
}

/** A caller of one Floe with a cookie jar of its own. */
export interface Client {
  readonly url: string
  readonly cookies: CookieJar
  /** Where it calls from; `undefined` leaves that to the system. */
  readonly localAddress: string | undefined
  /** The path is sent as it is written: nothing is normalised or escaped. */
  send(method: string, path: string, options?: SendOptions): Promise<HttpResponse>
}

/**
 * An address of this machine that no other client has: what is limited for each address is then
 * limited for each client, as it is for people. Only Linux has all of 127.0.0.0/8.
 */
export function newLocalAddress(): string | undefined {
  if (process.platform !== 'linux') return undefined
  return `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`
}

export interface ClientOptions {
  agent?: Agent
  localAddress?: string | undefined
}

export function createClient(
  url: string,
  { agent, localAddress = newLocalAddress() }: ClientOptions = {},
): Client {
  const cookies = createCookieJar()
  const { hostname, port } = new URL(url)
  return {
    url,
    cookies,
    localAddress,
    send: (method, path, { json, bytes, headers = {} } = {}) => {
      const body = json === undefined ? bytes : JSON.stringify(json)
      const cookie = cookies.header(path)
      return new Promise((resolve, reject) => {
        const req = request({
          hostname,
          port,
          method,
          path,
          ...(agent && { agent }),
          ...(localAddress !== undefined && { localAddress }),
          headers: {
            ...(json !== undefined && { 'Content-Type': 'application/json' }),
            ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
            ...(cookie !== '' && { Cookie: cookie }),
            ...headers,
          },
        })
        // A refusal may close the connection while the body is still being sent: the response counts.
        req.on('error', reject)
        req.on('response', (res) => {
          const chunks: Buffer[] = []
          cookies.store(res.headers['set-cookie'] ?? [])
          res.on('data', (chunk: Buffer) => chunks.push(chunk))
          res.on('error', reject)
          res.on('end', () => {
            const response = toResponse(res, Buffer.concat(chunks))
            noteSecrets(url, { path, json, headers: { Cookie: cookie } }, response)
            noteResponse(url, { method, path }, response)
            resolve(response)
          })
        })
        req.end(body)
      })
    },
  }
}

function toResponse(
  { statusCode = 0, headers, rawHeaders }: IncomingMessage,
  bytes: Buffer,
): HttpResponse {
  const isJson = (headers['content-type'] ?? '').includes('json')
  const text = bytes.length > 1_000_000 ? '' : bytes.toString()
  const body: unknown = isJson && text !== '' ? JSON.parse(text) : text
  return { status: statusCode, headers, rawHeaders, bytes, text, body }
}

export interface CookieJar {
  get(name: string): string | undefined
  set(name: string, value: string, path?: string): void
  names(): string[]
  header(path: string): string
  store(setCookies: readonly string[]): void
}

/** Name, value, path and end of RFC 6265; one host only. */
function createCookieJar(): CookieJar {
  const kept = new Map<string, { value: string; path: string }>()
  return {
    get: (name) => kept.get(name)?.value,
    set: (name, value, path = '/') => void kept.set(name, { value, path }),
    names: () => [...kept.keys()],
    header: (path) =>
      [...kept]
        .filter(([, cookie]) => path.startsWith(cookie.path))
        .map(([name, { value }]) => `${name}=${value}`)
        .join('; '),
    store: (setCookies) => {
      for (const text of setCookies) {
        const [pair = '', ...attributes] = text.split(/; */)
        const name = pair.slice(0, pair.indexOf('='))
        const attribute = (key: string) =>
          attributes.find((one) => one.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1)
        const maxAge = attribute('max-age')
        const isOver =
          maxAge === undefined
            ? Date.parse(attribute('expires') ?? '') < Date.now()
            : Number(maxAge) <= 0
        if (isOver) kept.delete(name)
        else kept.set(name, { value: pair.slice(name.length + 1), path: attribute('path') ?? '/' })
      }
    },
  }
}
