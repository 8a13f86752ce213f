import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Webhook as Signer } from 'standardwebhooks'
import { AddressRefusal, type AddressGuard } from './address-guard.ts'
import type { Message } from './messages.ts'

const MOST_MS = 10_000
/** More of a response is not read, and so much of it is kept. */
const MOST_RESPONSE_BYTES = 64 * 1024
const KEPT_RESPONSE_CHARACTERS = 2000

export interface Attempt {
  milliseconds: number
  /** `null` where no response came; then `error` says why. */
  status: number | null
  error: string | null
  response: string
}

export interface Sending {
  url: string
  /** Of the event. */
  id: string
  at: Date
  /** The first one is the one that is valid from now on. */
  secrets: readonly string[]
  message: Message
}

export type SendWebhook = (sending: Sending, signal?: AbortSignal) => Promise<Attempt>

/** One POST by Standard Webhooks 1.0.0. Redirects are not followed; ten seconds are all it gets. */
export function createSender({
  guard,
  mostMs = MOST_MS,
}: {
  guard: AddressGuard
  mostMs?: number
}): SendWebhook {
  return async (sending, signal) => {
    const startedAt = performance.now()
    const timeout = AbortSignal.timeout(mostMs)
    try {
      const all = signal ? AbortSignal.any([timeout, signal]) : timeout
      const { status, response } = await post(sending, guard, all)
      return { milliseconds: since(startedAt), status, error: null, response }
    } catch (error) {
      const message = timeout.aborted ? 'No response within 10 seconds' : messageOf(error)
      return { milliseconds: since(startedAt), status: null, error: message, response: '' }
    }
  }
}

function since(startedAt: number): number {
  return Math.round(performance.now() - startedAt)
}

function messageOf(error: unknown): string {
  if (error instanceof AddressRefusal) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code || (error instanceof Error ? error.message : String(error))
}

async function post(
  { url: address, id, at, secrets, message }: Sending,
  guard: AddressGuard,
  signal: AbortSignal,
): Promise<{ status: number; response: string }> {
  const url = new URL(address)
  const checked = await guard.check(url.hostname)
  const body = Buffer.from(message.body)
  const signatures = secrets.map((secret) => new Signer(secret).sign(id, at, message.body))
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method: 'POST',
    signal,
    agent: false,
    // To the very address that was looked at, by whatever name.
    lookup: (_host, options, found) => {
      const { address: ip, family } = checked
      if (options.all) found(null, [{ address: ip, family }])
      else found(null, ip, family)
    },
    headers: {
      'Content-Type': message.contentType,
      'Content-Length': body.length,
      'User-Agent': 'Floe-Webhooks',
      'webhook-id': id,
      'webhook-timestamp': Math.floor(at.getTime() / 1000),
      'webhook-signature': signatures.join(' '),
    },
  })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
    request.end(body)
  })
  return { status: response.statusCode ?? 0, response: await readBeginning(response) }
}

async function readBeginning(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    const piece = chunk as Buffer
    pieces.push(piece)
    bytes += piece.length
    if (bytes >= MOST_RESPONSE_BYTES) break
  }
  response.destroy()
  const text = Buffer.concat(pieces).toString('utf8').slice(0, KEPT_RESPONSE_CHARACTERS)
  return text.replaceAll('\u0000', '\ufffd')
}
