/** The body of every refusal: `code` is stable, `message` is English. */
interface RefusalBody {
  code?: string
  error?: string
  message?: string
}

/** A refusal by the server, or a response that is none of Floe's (`code` is `null` then). */
export class FloeError extends Error {
  readonly status: number
  readonly code: string | null

  constructor(status: number, body: unknown) {
    const { code, error, message } = readBody(body)
    super(message ?? `The server responded with status ${status}`)
    this.name = 'FloeError'
    this.status = status
    this.code = code ?? error ?? null
  }
}

function readBody(body: unknown): RefusalBody {
  return typeof body === 'object' && body !== null ? body : {}
}
