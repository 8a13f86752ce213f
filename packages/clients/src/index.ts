import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type ErrorResponse,
  INTERNAL_SECRET_HEADER,
  isErrorCode,
  type Port,
  type PortContract,
  portPath,
  REQUEST_ID_HEADER,
} from '@floe/contracts'
import { AppError, type PublishedMembers } from '@floe/errors'
import { currentRequestId } from '@floe/log'
import { ServiceAgent } from './service-agent.ts'

export { ServiceAgent } from './service-agent.ts'

/** Before a call is tried again, and once more: a service that was killed has another replica. */
const RETRY_PAUSES_MS = [0, 200]

export interface PortClientOptions {
  /** Base address of the service, such as `http://share:3000`. */
  url: string
  secret: string
  timeoutMs?: number
}

/** The HTTP half of a port: same interface as the local object, and the same error codes. */
export function createPortClient<C extends PortContract>(
  contract: C,
  { url, secret, timeoutMs = 15_000 }: PortClientOptions,
): Port<C> & { close(): void } {
  const agent = new ServiceAgent({ maxSockets: 64 })
  const methods = Object.entries(contract.methods).map(([name, method]) => [
    name,
    async (input: unknown) => {
      const address = new URL(portPath(contract, name), url)
      const response = await post(address, {
        agent,
        secret,
        timeoutMs,
        body: JSON.stringify(input),
      })
      return method.output.parse(readResponse(response, `${contract.name}.${name}`))
    },
  ])
  return Object.assign(Object.fromEntries(methods) as Port<C>, { close: () => agent.destroy() })
}

interface RawResponse {
  status: number
  text: string
}

function readResponse({ status, text }: RawResponse, call: string): unknown {
  const body = parseJson(text)
  if (status === 200) return (body as { output: unknown }).output
  const response = body as Partial<ErrorResponse> & Record<string, unknown>
  const { code, message, statusCode: _, error: __, ...members } = response
  if (!isErrorCode(code)) {
    throw new AppError('upstream_unavailable', { detail: `status ${status} of ${call}` })
  }
  throw new AppError(code, {
    ...(Array.isArray(message) ? { issues: message } : {}),
    ...(typeof message === 'string' ? { message } : {}),
    // As the other service published them.
    members: members as PublishedMembers,
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('upstream_unavailable', { cause, detail: 'response is not JSON' })
  }
}

interface PostOptions {
  agent: ServiceAgent
  secret: string
  timeoutMs: number
  body: string
}

async function post(url: URL, options: PostOptions): Promise<RawResponse> {
  for (const pauseMs of RETRY_PAUSES_MS) {
    try {
      return await postOnce(url, options)
    } catch (error) {
      if (!isBroken(error)) throw unavailable(url, error)
      if (pauseMs > 0) await delay(pauseMs)
    }
  }
  try {
    return await postOnce(url, options)
  } catch (error) {
    throw unavailable(url, error)
  }
}

/** There was no response, unlike from a slow service; every method may be called again. */
function isBroken(error: unknown): boolean {
  const code = String((error as NodeJS.ErrnoException).code)
  return ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(code)
}

function unavailable(url: URL, cause: unknown): AppError {
  return new AppError('upstream_unavailable', { cause, detail: url.pathname })
}

function postOnce(url: URL, { agent, secret, timeoutMs, body }: PostOptions): Promise<RawResponse> {
  const requestId = currentRequestId()
  return new Promise((resolve, reject) => {
    const req = request(url, {
      method: 'POST',
      agent,
      timeout: timeoutMs,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        [INTERNAL_SECRET_HEADER]: secret,
        ...(requestId !== null && { [REQUEST_ID_HEADER]: requestId }),
      },
    })
    req.on('timeout', () => req.destroy(new Error('timed out')))
    req.on('error', reject)
    req.on('response', (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('error', reject)
      res.on('end', () =>
        resolve({ status: res.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      )
    })
    req.end(body)
  })
}
