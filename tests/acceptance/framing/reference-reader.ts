/**
 * Reads what a client sent as RFC 9112 has it and Floe takes it, by code of its own: strictly, and
 * with nothing that leaves a doubt. Floe is compared with it.
 */
export interface Reading {
  /** Whole requests, in order. */
  requests: ReadRequest[]
  /** Refused, or its body has not come to its end: it may get a response all the same. */
  begun: ReadRequest | null
  /**
   * `clean`: nothing is left; `incomplete`: the last request has not come as a whole, or more came
   * behind the last one that the connection takes;
   * `refused`: what follows is to be refused with the connection.
   */
  end: 'clean' | 'incomplete' | 'refused'
}

export interface ReadRequest {
  method: string
  target: string
  headers: [name: string, value: string][]
}

const methods = new Set(
  'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND REPORT SEARCH PURGE LOCK'.split(' '),
)
const token = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/

interface Step {
  request: ReadRequest
  end: number | 'incomplete' | 'refused'
  isLast: boolean
}

export function readRequests(bytes: Buffer): Reading {
  const requests: ReadRequest[] = []
  let at = 0
  for (;;) {
    // RFC 9112 §2.2: empty lines ahead of a request do not count.
    while (bytes[at] === 13 || bytes[at] === 10) at += 1
    if (at >= bytes.length) return { requests, begun: null, end: 'clean' }
    const step = readRequest(bytes, at)
    if (typeof step === 'string') return { requests, begun: null, end: step }
    const { request, end, isLast } = step
    if (typeof end === 'string') return { requests, begun: request, end }
    requests.push(request)
    // Who goes on sending then may lose the response with the connection.
    if (isLast) return { requests, begun: null, end: end < bytes.length ? 'incomplete' : 'clean' }
    at = end
  }
}

function readRequest(bytes: Buffer, start: number): Step | 'incomplete' | 'refused' {
  const headEnd = bytes.indexOf('\r\n\r\n', start)
  const head = bytes.toString('latin1', start, headEnd < 0 ? bytes.length : headEnd)
  if (/[^\r]\n|^\n|\r[^\n]|\0/.test(head)) return 'refused'
  const [line = '', ...lines] = head.split('\r\n')
  const parsed = readLine(line)
  const headers = lines.map(readField)
  if (headEnd < 0) return 'incomplete'
  if (headers.includes(null)) return 'refused'
  const fields = headers.filter((field) => field !== null)
  const { method, target, version } = parsed ?? { method: '', target: '', version: '' }
  const request = { method, target, headers: fields }
  const body = readFraming(version, method, fields)
  if (body === null) return { request, end: 'refused', isLast: true }
  const found = body === 'chunked' ? chunkedEnd(bytes, headEnd + 4) : headEnd + 4 + body
  const end = found === null || Number(found) > bytes.length ? 'incomplete' : found
  return { request, end, isLast: isLast(version, fields) }
}

function readLine(line: string): { method: string; target: string; version: string } | null {
  const match = /^(\S+) +(\/[\x21-\x7e]*|[a-z]+:\/\/[\x21-\x7e]+) +HTTP\/(\d\.\d)$/.exec(line)
  const [, method = '', target = '', version = ''] = match ?? []
  return methods.has(method) ? { method, target, version } : null
}

function readField(line: string): [string, string] | null {
  const colon = line.indexOf(':')
  const name = line.slice(0, colon)
  if (colon < 0 || !token.test(name) || /[\0-\x08\x0a-\x1f\x7f]/.test(line)) return null
  const value = line.slice(colon + 1)
  // Node's parser takes spaces there alone.
  const isLength = name.toLowerCase() === 'content-length'
  return [name.toLowerCase(), value.replace(isLength ? /^[\t ]+| +$/g : /^[\t ]+|[\t ]+$/g, '')]
}

function valuesOf(headers: readonly [string, string][], wanted: string): string[] {
  return headers.filter(([name]) => name === wanted).map(([, value]) => value)
}

/** Bytes of the body, `chunked`, or null for what is not taken. */
function readFraming(
  version: string,
  method: string,
  headers: readonly [string, string][],
): number | 'chunked' | null {
  if (!isTaken(version, headers)) return null
  const lengths = valuesOf(headers, 'content-length')
  const codings = valuesOf(headers, 'transfer-encoding')
  if (lengths.length + codings.length > 1) return null
  if (codings.length > 0) {
    const isPlain = version === '1.1' && codings[0]?.toLowerCase() === 'chunked'
    return isPlain && method !== 'TRACE' ? 'chunked' : null
  }
  const length = lengths[0] ?? '0'
  if (!/^\d{1,15}$/.test(length) || (method === 'TRACE' && Number(length) > 0)) return null
  return Number(length)
}

/** Whether the version is spoken, the host is clear and what the client expects can be met. */
function isTaken(version: string, headers: readonly [string, string][]): boolean {
  const hostCount = valuesOf(headers, 'host').length
  if (version === '1.0') return hostCount <= 1
  const isMet = (value: string) => value.toLowerCase() === '100-continue'
  return version === '1.1' && hostCount === 1 && valuesOf(headers, 'expect').every(isMet)
}

function chunkedEnd(bytes: Buffer, start: number): number | 'refused' | null {
  let at = start
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const line = bytes.toString('latin1', at, lineEnd < 0 ? bytes.length : lineEnd)
    if (lineEnd < 0) return /^[\da-f]{0,8}\r?$/i.test(line) ? null : 'refused'
    if (!/^[\da-f]{1,8}(;[\w=]+)?$/i.test(line)) return 'refused'
    const sizeBytes = Number.parseInt(line, 16)
    const end = lineEnd + 2 + sizeBytes
    if (sizeBytes === 0) return trailersEnd(bytes, lineEnd + 2)
    const closing = bytes.toString('latin1', end, end + 2)
    if (!'\r\n'.startsWith(closing)) return 'refused'
    if (closing.length < 2) return null
    at = end + 2
  }
}

function trailersEnd(bytes: Buffer, start: number): number | 'refused' | null {
  let at = start
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    if (lineEnd === at) return at + 2
    if (readField(bytes.toString('latin1', at, lineEnd)) === null) return 'refused'
    at = lineEnd + 2
  }
}

function isLast(version: string, headers: readonly [string, string][]): boolean {
  const options = valuesOf(headers, 'connection').join(',').toLowerCase()
  const named = options.split(',').map((option) => option.trim())
  // No other protocol is spoken, and what follows may be in one.
  if (valuesOf(headers, 'upgrade').length > 0) return true
  return version === '1.0' ? !named.includes('keep-alive') : named.includes('close')
}
