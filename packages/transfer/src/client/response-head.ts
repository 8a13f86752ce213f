/**
 * Reads the head of an HTTP/1.1 response (RFC 9112). Stricter than the RFC lets a client be: the
 * peer is one of our own services, so anything odd is a fault or an attempt at smuggling.
 */

/** How the end of the body is found (RFC 9112 §6.3). */
export type BodyFraming =
  | { kind: 'none' }
  | { kind: 'length'; bytes: number }
  | { kind: 'chunked' }
  | { kind: 'until-close' }

export interface ResponseHead {
  status: number
  reason: string
  headers: [name: string, value: string][]
  framing: BodyFraming
  /** May the connection carry another request after this response? */
  persistent: boolean
}

/** The peer's bytes are not a response this client accepts. */
export class MalformedResponseError extends Error {
  override readonly name = 'MalformedResponseError'
}

export const HEAD_LIMIT_BYTES = 64 * 1024

const HEAD_END = Buffer.from('\r\n\r\n')
const statusLinePattern = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: ([\t\x20-\x7e\x80-\xff]*))?$/
const fieldPattern = /^([!#$%&'*+\-.^_`|~\dA-Za-z]+):[\t ]*([\t\x20-\x7e\x80-\xff]*?)[\t ]*$/

export interface HeadReader {
  /**
   * Takes the next bytes. `null` until the head is whole; then the head, and how many of *these*
   * bytes belonged to it. Throws `MalformedResponseError`.
   */
  read(bytes: Buffer, method: string): { head: ResponseHead; consumedBytes: number } | null
}

export function createHeadReader(limitBytes = HEAD_LIMIT_BYTES): HeadReader {
  let held: Buffer | null = null
  return {
    read(bytes, method) {
      const heldBytes = held?.length ?? 0
      const all = held === null ? bytes : Buffer.concat([held, bytes])
      const end = all.indexOf(HEAD_END, Math.max(0, heldBytes - HEAD_END.length + 1))
      if (end > limitBytes || (end < 0 && all.length > limitBytes)) {
        throw new MalformedResponseError('head is too long')
      }
      if (end < 0) {
        // Copied: the caller reads the next bytes into the same memory.
        held = held === null ? Buffer.from(bytes) : all
        return null
      }
      held = null
      return {
        head: parseResponseHead(all.toString('latin1', 0, end), method),
        consumedBytes: end + HEAD_END.length - heldBytes,
      }
    },
  }
}

/** `text` is the head without its closing empty line, decoded as latin1. */
export function parseResponseHead(text: string, method: string): ResponseHead {
  const [statusLine = '', ...lines] = text.split('\r\n')
  const match = statusLinePattern.exec(statusLine)
  if (!match) throw new MalformedResponseError('bad status line')
  const headers = lines.map(parseField)
  const status = Number(match[2])
  const framing = bodyFraming(status, method, match[1] === '0', headers)
  return {
    status,
    reason: match[3] ?? '',
    headers,
    framing,
    persistent: framing.kind !== 'until-close' && staysOpen(match[1] === '0', headers),
  }
}

function parseField(line: string): [string, string] {
  // A line that begins with a space is obsolete folding (RFC 9112 §5.2): it fails the pattern.
  const match = fieldPattern.exec(line)
  if (!match) throw new MalformedResponseError('bad header field')
  return [match[1] ?? '', match[2] ?? '']
}

function bodyFraming(
  status: number,
  method: string,
  isHttp10: boolean,
  headers: readonly [string, string][],
): BodyFraming {
  const framing = announcedFraming(isHttp10, headers)
  return hasNoBody(status, method) ? { kind: 'none' } : framing
}

/** Responses that never have a body, whatever their headers announce (RFC 9112 §6.3). */
function hasNoBody(status: number, method: string): boolean {
  return method === 'HEAD' || status < 200 || status === 204 || status === 304
}

function announcedFraming(isHttp10: boolean, headers: readonly [string, string][]): BodyFraming {
  const codings = valuesOf(headers, 'transfer-encoding')
  const lengths = valuesOf(headers, 'content-length')
  if (codings.length > 0) {
    if (lengths.length > 0) {
      throw new MalformedResponseError('both Content-Length and Transfer-Encoding')
    }
    if (isHttp10 || codings.join(',').toLowerCase() !== 'chunked') {
      throw new MalformedResponseError('transfer coding is not chunked')
    }
    return { kind: 'chunked' }
  }
  const bytes = contentLength(lengths)
  if (bytes === null) return { kind: 'until-close' }
  return bytes === 0 ? { kind: 'none' } : { kind: 'length', bytes }
}

function contentLength(values: readonly string[]): number | null {
  const [first] = values
  if (first === undefined) return null
  if (values.length > 1 || !/^\d{1,16}$/.test(first) || !Number.isSafeInteger(Number(first))) {
    throw new MalformedResponseError('bad Content-Length')
  }
  return Number(first)
}

function staysOpen(isHttp10: boolean, headers: readonly [string, string][]): boolean {
  const options = connectionOptions(headers)
  return isHttp10 ? options.has('keep-alive') : !options.has('close')
}

/** Lower-case names the Connection fields list: they belong to this connection alone. */
export function connectionOptions(headers: readonly [string, string][]): ReadonlySet<string> {
  return new Set(
    valuesOf(headers, 'connection')
      .join(',')
      .toLowerCase()
      .split(',')
      .map((option) => option.trim()),
  )
}

function valuesOf(headers: readonly [string, string][], name: string): string[] {
  return headers.filter(([field]) => field.toLowerCase() === name).map(([, value]) => value)
}
