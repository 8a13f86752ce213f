import { validateHeaderName, validateHeaderValue } from 'node:http'
import { FloeError } from '@floe/client'
import { ERROR_CODE_HEADER, isProxyRefusal } from '@floe/contracts'
import {
  type Connection,
  type ConnectionPool,
  createConnectionPool,
  PulledBody,
  type ResponseHead,
} from '@floe/transfer'
import { NetworkError, networkMessage } from './failures.ts'

/** Silence on a connection after which it is given up. */
const SILENCE_MS = 120_000
/** Memory for pieces of a body: one is filled while the other one is sent. */
const PIECE_BYTES = 2 ** 20
/** More of what a server says about a refusal is of no use to anybody. */
const MOST_REFUSAL_BYTES = 64 * 2 ** 10

export interface HttpResponse {
  status: number
  /** Lower-case names. */
  headers: ReadonlyMap<string, string>
  body: ResponseBody
}

export interface ResponseBody {
  /**
   * Fills the buffer: with fewer bytes only where the body ends or breaks off, and 0 at its end.
   * Fails with a `NetworkError` where the connection is lost.
   */
  read(target: Uint8Array): Promise<number>
  /** Closes the connection where the rest of the body is still on its way. */
  destroy(): void
}

/** A body that is read piece by piece. */
export interface BodySource {
  /** Fills the buffer as far as there is something, and returns how far; 0 at the end. */
  read(buffer: Buffer): Promise<number>
}

interface Request {
  method: string
  url: URL
  headers: Record<string, string | number>
  body?: Buffer | BodySource
  /** Hears of bytes of a source as they leave. */
  onSent?: (bytes: number) => void
}

/** Requests whose bodies are bytes, over connections that are kept for the next one. */
export interface HttpClient {
  /**
   * Resolves with any response, whose body has to be read or destroyed, and rejects with a
   * `NetworkError` where none came. A source that fails rejects with its own error.
   */
  send(request: Request): Promise<HttpResponse>
}

export function createHttpClient(): HttpClient {
  const pools = new Map<string, ConnectionPool>()
  function poolOf(url: URL): ConnectionPool {
    const pool = pools.get(url.origin) ?? createConnectionPool({ url, silenceMs: SILENCE_MS })
    pools.set(url.origin, pool)
    return pool
  }
  return { send: (request) => exchange(poolOf(request.url).take(), request) }
}

function exchange(
  connection: Connection,
  { method, url, headers, body, onSent }: Request,
): Promise<HttpResponse> {
  const head = encodeHead({ method, url, headers })
  return new Promise((resolve, reject) => {
    const responding = new PulledBody(() => connection.resume())
    let isSent = false
    let settle: () => void = () => undefined
    // A refusal may come before all was sent: the rest is of no use.
    const settled = new Promise<false>((done) => (settle = () => done(false)))
    connection.begin({
      method,
      onContinue: () => undefined,
      onHead: (response) => {
        settle()
        resolve(toResponse(response, responding, connection))
        return responding
      },
      onEnd: () => {
        responding.finish()
        if (!isSent) connection.destroy()
      },
      onFailure: (cause) => {
        settle()
        const error = new NetworkError(networkMessage(cause), { cause })
        reject(error)
        responding.fail(error)
      },
    })
    connection.socket.write(head, 'latin1')
    const sending =
      body === undefined || Buffer.isBuffer(body)
        ? writeWhole(connection, body)
        : writeAll(connection, { source: body, onSent, settled })
    sending.then(
      (isWhole) => {
        isSent = isWhole
        if (isWhole) connection.requestSent()
      },
      (error: unknown) => {
        reject(error instanceof Error ? error : new Error(String(error)))
        connection.destroy()
      },
    )
  })
}

function encodeHead({ method, url, headers }: Omit<Request, 'body'>): string {
  const lines = Object.entries(headers).map(([name, value]) => {
    validateHeaderName(name)
    validateHeaderValue(name, String(value))
    return `${name}: ${value}\r\n`
  })
  return `${method} ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n${lines.join('')}\r\n`
}

function toResponse(
  { status, headers }: ResponseHead,
  body: PulledBody,
  connection: Connection,
): HttpResponse {
  return {
    status,
    headers: new Map(headers.map(([name, value]) => [name.toLowerCase(), value])),
    body: {
      read: (target) => body.read(target),
      destroy: () => {
        // Behind its end the connection serves others.
        if (!body.isWhole) connection.destroy()
      },
    },
  }
}

async function writeWhole({ socket }: Connection, body: Buffer | undefined): Promise<boolean> {
  if (body !== undefined && body.length > 0) socket.write(body)
  return true
}

interface Sending {
  source: BodySource
  onSent: ((bytes: number) => void) | undefined
  settled: Promise<false>
}

/**
 * Returns whether all of it was written. Memory is used again and again, which takes half the time
 * of new memory for each piece.
 */
async function writeAll(
  { socket }: Connection,
  { source, onSent, settled }: Sending,
): Promise<boolean> {
  const buffers = [Buffer.allocUnsafe(PIECE_BYTES), Buffer.allocUnsafe(PIECE_BYTES)] as const
  let sending: Promise<boolean> = Promise.resolve(true)
  for (let turn = 0; ; turn = 1 - turn) {
    const buffer = buffers[turn === 0 ? 0 : 1]
    const count = await source.read(buffer)
    if (!(await Promise.race([sending, settled]))) return false
    if (count === 0) return true
    sending = new Promise((resolve) => {
      socket.write(buffer.subarray(0, count), (error) => resolve(!error))
    })
    onSent?.(count)
  }
}

/** The body in pieces of memory that is used again: what a piece holds counts until the next one. */
export async function* bytesOf({ body }: HttpResponse): AsyncGenerator<Buffer, undefined> {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES)
  try {
    for (;;) {
      const count = await body.read(buffer)
      if (count === 0) return undefined
      yield buffer.subarray(0, count)
    }
  } finally {
    body.destroy()
  }
}

/** Reads what a response says where nobody needs its body. */
export async function discard({ body }: HttpResponse): Promise<void> {
  const nowhere = Buffer.allocUnsafe(MOST_REFUSAL_BYTES)
  while ((await body.read(nowhere)) > 0);
}

/** What a response says. Fails with a `NetworkError` where that is no JSON. */
export async function jsonOf(response: HttpResponse): Promise<unknown> {
  const pieces: Buffer[] = []
  for await (const bytes of bytesOf(response)) pieces.push(Buffer.from(bytes))
  try {
    return JSON.parse(Buffer.concat(pieces).toString())
  } catch (error) {
    throw new NetworkError('The response is not one of Floe', { cause: error })
  }
}

/** Whether the request was too large for something on the way. */
export function isRefusedByProxy(response: HttpResponse): boolean {
  return isProxyRefusal(response.status, codeOf(response))
}

/** As the typed client throws it. */
export async function refusalOf(response: HttpResponse): Promise<FloeError> {
  const said = Buffer.alloc(MOST_REFUSAL_BYTES)
  // Its status counts also where the connection is lost behind it.
  const count = await response.body.read(said).catch(() => 0)
  response.body.destroy()
  return new FloeError(response.status, parse(said.toString('utf8', 0, count)), {
    code: codeOf(response) ?? null,
    retryAfter: response.headers.get('retry-after') ?? null,
  })
}

function codeOf({ headers }: HttpResponse): string | undefined {
  return headers.get(ERROR_CODE_HEADER.toLowerCase())
}

function parse(said: string): unknown {
  try {
    return JSON.parse(said)
  } catch {
    return said
  }
}
