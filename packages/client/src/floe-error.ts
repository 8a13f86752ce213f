/** A refusal by the server, or a response that is none of Floe's, such as that of a proxy. */
export class FloeError extends Error {
  readonly status: number
  /** Stable, as in the API description; `null` where the response names none. */
  readonly code: string | null
  /** What asks for a password is an encrypted share: the server is not to know it. */
  readonly isEncrypted: boolean
  /** When to come again; `null` where the response does not say. */
  readonly retryAfterSeconds: number | null

  /**
   * `body` is what came: an object, the line of a direct upload, or anything of somebody else. Code
   * and `Retry-After` are what the headers say.
   */
  constructor(
    status: number,
    body: unknown,
    { code, retryAfter }: { code?: string | null; retryAfter?: string | null } = {},
  ) {
    super(messageOf(body) ?? `The server responded with status ${status}`)
    this.name = 'FloeError'
    this.status = status
    this.code = code ?? textOf(body, 'code')
    this.isEncrypted = memberOf(body, 'encrypted') === true
    this.retryAfterSeconds = readRetryAfter(retryAfter ?? '')
  }
}

/** Seconds or a date (RFC 9110 §10.2.3). */
function readRetryAfter(header: string): number | null {
  if (/^\d+$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}

/** English. Several sentences where several fields are not valid. */
function messageOf(body: unknown): string | null {
  // A page of HTML tells nobody anything.
  if (typeof body === 'string') return /^[^<\n]+\n?$/.test(body) ? body.trim() : null
  const message = memberOf(body, 'message')
  return Array.isArray(message) ? message.join('; ') : textOf(body, 'message')
}

function textOf(body: unknown, name: string): string | null {
  const value = memberOf(body, name)
  return typeof value === 'string' ? value : null
}

function memberOf(body: unknown, name: string): unknown {
  return new Map(Object.entries(body ?? {})).get(name)
}
