import { setTimeout as delay } from 'node:timers/promises'

export interface Caller {
  url: string
  cookie: string
  /** How often a call had to be repeated, by reason. */
  repeats?: Map<string, number>
}

/** What the server took back: an acknowledged byte is a promise. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise'
}

export interface Call {
  method: string
  path: string
  headers?: Record<string, string>
  body?: Buffer | string
}

const PAUSE_MS = 50
const PATIENCE_MS = 30_000

/** Null when the server went away: nothing is known of what it did. */
export async function attempt(caller: Caller, call: Call): Promise<Response | null> {
  try {
    const { method, path, headers = {}, body } = call
    const response = await fetch(`${caller.url}${path}`, {
      method,
      headers: { Cookie: caller.cookie, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    // 423: the former connection is still being let go; 5xx: starting or stopping.
    if (response.status !== 423 && response.status < 500) return response
    await response.body?.cancel()
    await pauseAfter(caller, `${call.method} ${response.status}${detailOf(response, call)}`)
  } catch (error) {
    await pauseAfter(caller, `${call.method} ${nameOf(error)}`)
  }
  return null
}

/** No outage may be told as a fault of ours: which one is, is worth knowing. */
function detailOf({ status }: Response, { path }: Call): string {
  return status === 500 ? ` ${path.replace(/[\w-]{9,}(?=\/|$)/g, '*').replace(/\?.*/, '')}` : ''
}

/** Counts why a call is about to be repeated. */
export async function pauseAfter({ repeats }: Caller, reason: string): Promise<void> {
  repeats?.set(reason, (repeats.get(reason) ?? 0) + 1)
  await delay(PAUSE_MS)
}

export function nameOf(error: unknown): string {
  return error instanceof Error && error.name === 'TimeoutError' ? 'without a response' : 'cut off'
}

export async function insist(caller: Caller, call: Call): Promise<Response> {
  for (;;) {
    const response = await attempt(caller, call)
    if (response) return response
  }
}

export async function refuse(response: Response, what: string): Promise<never> {
  throw new BrokenPromise(`${what}: ${response.status} ${await response.text()}`)
}
