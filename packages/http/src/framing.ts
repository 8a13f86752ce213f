import type { IncomingMessage } from 'node:http'
import { AppError } from '@floe/errors'

/** How the end of a request's body is found (RFC 9112 §6.3). */
export type RequestFraming =
  { kind: 'none' } | { kind: 'length'; bytes: number } | { kind: 'chunked' }

/**
 * The framing that Node's parser has read by. A proxy passes the request on with this framing and
 * no other. Two readers that disagree about the end of a body let one client speak in
 * another's name, so what leaves any doubt is refused (`ambiguous_request`), even where the parser
 * takes it.
 */
export function requestFraming(req: IncomingMessage): RequestFraming {
  const codings = valuesOf(req, 'transfer-encoding')
  const lengths = valuesOf(req, 'content-length')
  if (codings.length + lengths.length > 1) throw ambiguous('more than one length of the body')
  const [coding] = codings
  if (coding !== undefined) {
    if (coding.toLowerCase() !== 'chunked') throw ambiguous('transfer coding is not chunked')
    // RFC 9112 §6.1: a proxy that does not know the coding may have passed it on.
    if (req.httpVersion !== '1.1') throw ambiguous('transfer coding in HTTP/1.0')
    return { kind: 'chunked' }
  }
  const [length] = lengths
  if (length === undefined) return { kind: 'none' }
  const bytes = Number(length)
  if (!/^\d{1,16}$/.test(length) || !Number.isSafeInteger(bytes)) {
    throw ambiguous('bad Content-Length')
  }
  return { kind: 'length', bytes }
}

export function hasBody(framing: RequestFraming): boolean {
  return framing.kind === 'length' ? framing.bytes > 0 : framing.kind === 'chunked'
}

/**
 * Why a request is refused before its route is known; null for all others. What follows such a
 * request on its connection cannot be trusted to be a request.
 */
export function requestProblem(req: IncomingMessage): AppError | null {
  try {
    checkHead(req)
    return null
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

function checkHead(req: IncomingMessage): void {
  const { httpVersion, method = '' } = req
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw ambiguous(`HTTP/${httpVersion}`)
  // RFC 9112 §3.2
  const hosts = valuesOf(req, 'host').length
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) throw ambiguous(`${hosts} Host headers`)
  const framing = requestFraming(req)
  // RFC 9110 §9.3.8
  if (method === 'TRACE' && hasBody(framing)) throw ambiguous('TRACE with a body')
  // RFC 9110 §10.1.1: an expectation in HTTP/1.0 does not count.
  const expectations = httpVersion === '1.1' ? valuesOf(req, 'expect') : []
  const unmet = expectations.find((value) => value.toLowerCase() !== '100-continue')
  if (unmet !== undefined) throw new AppError('expectation_failed')
}

function ambiguous(detail: string): AppError {
  return new AppError('ambiguous_request', { detail })
}

/** One for each line of that name; Node joins some of them and drops others. */
function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name,
  )
}
