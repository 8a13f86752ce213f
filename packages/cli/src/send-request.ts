import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import { FloeError } from '@floe/client'
import { ERROR_CODE_HEADER, isProxyRefusal } from '@floe/contracts'
import { NetworkError, networkMessage } from './failures.ts'

/** Silence on a connection after which it is given up. */
const SILENCE_MS = 120_000

const options = { keepAlive: true, maxSockets: 32, timeout: SILENCE_MS }
const httpAgent = new HttpAgent(options)
const httpsAgent = new HttpsAgent(options)

export interface HttpResponse {
  status: number
  /** Lower-case names. */
  headers: IncomingMessage['headers']
  body: IncomingMessage
}

/** Memory for pieces of a body: one is filled while the other one is sent. */
const PIECE_BYTES = 2 ** 20

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

/**
 * One request over a connection that is kept. Resolves with any response, and rejects with a
 * `NetworkError` where none came. A source that fails rejects with its own error.
 */
export function sendRequest({
  method,
  url,
  headers,
  body,
  onSent,
}: Request): Promise<HttpResponse> {
  const isTls = url.protocol === 'https:'
  const agent = isTls ? httpsAgent : httpAgent
  const request = (isTls ? requestHttps : requestHttp)(url, { method, headers, agent })
  return new Promise((resolve, reject) => {
    request.once('error', (error) => {
      reject(new NetworkError(networkMessage(error), { cause: error }))
    })
    request.once('timeout', () => request.destroy(new Error('The server does not response')))
    request.once('response', (response) => {
      response.once('error', () => undefined)
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: response })
    })
    if (body === undefined || Buffer.isBuffer(body)) request.end(body)
    else {
      writeAll(request, body, onSent).catch((error: unknown) => {
        reject(error instanceof Error ? error : new Error(String(error)))
        request.destroy()
      })
    }
  })
}

/** Memory is used again and again, which takes half the time of new memory for each piece. */
async function writeAll(
  request: ClientRequest,
  source: BodySource,
  onSent: (bytes: number) => void = () => undefined,
): Promise<void> {
  const buffers = [Buffer.allocUnsafe(PIECE_BYTES), Buffer.allocUnsafe(PIECE_BYTES)] as const
  // Without a connection no write is called back.
  const closed = new Promise<false>((resolve) => request.once('close', () => resolve(false)))
  let sending: Promise<boolean> = Promise.resolve(true)
  for (let turn = 0; ; turn = 1 - turn) {
    const buffer = buffers[turn === 0 ? 0 : 1]
    const count = await source.read(buffer)
    // A refusal may come before all was sent: the rest is of no use.
    if (!(await Promise.race([sending, closed]))) return
    if (count === 0) break
    sending = new Promise((resolve) => {
      request.write(buffer.subarray(0, count), (error) => resolve(!error))
    })
    onSent(count)
  }
  request.end()
}

/** The body in pieces. Throws a `NetworkError` where the connection is lost. */
export async function* bytesOf({ body }: HttpResponse): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of body) yield chunk as Buffer
  } catch (error) {
    // What the reader of the pieces throws ends this generator, and is not caught here.
    const lost = error instanceof Error ? error : new Error(String(error))
    throw new NetworkError(networkMessage(lost), { cause: error })
  }
}

/** Reads what a response says where nobody needs its body. */
export async function discard({ body }: HttpResponse): Promise<void> {
  body.resume()
  if (!body.readableEnded) await new Promise((resolve) => body.once('close', resolve))
}

/** Whether the request was too large for something on the way. */
export function isRefusedByProxy(response: HttpResponse): boolean {
  return isProxyRefusal(response.status, codeOf(response))
}

/** As the typed client throws it. */
export async function refusalOf(response: HttpResponse): Promise<FloeError> {
  const said = await text(response.body).catch(() => '')
  return new FloeError(response.status, parse(said), codeOf(response) ?? null)
}

function codeOf({ headers }: HttpResponse): string | undefined {
  const code = headers[ERROR_CODE_HEADER.toLowerCase()]
  return typeof code === 'string' ? code : undefined
}

function parse(said: string): unknown {
  try {
    return JSON.parse(said)
  } catch {
    return said
  }
}
