import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A request as it arrived at the end of its way. */
export interface RecordedRequest {
  method: string
  target: string
  /** Lower-case names, in order. */
  headers: readonly [name: string, value: string][]
  /** Body bytes as they came, chunks put together; null where it broke off. */
  body: Buffer | null
}

/**
 * A service that reads TCP by itself and counts what it is sent: every head that begins where the
 * request before ended is a request, whether anybody meant it to be one or not. Bytes that are no
 * head are `garbage`. Each request is responded to with its target.
 */
export interface RecordingUpstream {
  url: string
  requests: RecordedRequest[]
  garbage: string[]
  close(): Promise<void>
}

export async function startRecordingUpstream(): Promise<RecordingUpstream> {
  const requests: RecordedRequest[] = []
  const garbage: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let held = Buffer.alloc(0)
    let hasInvited = false
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      const broken = held.length > 0 ? headOf(held) : null
      if (broken) requests.push({ ...broken, body: null })
    })
    socket.on('data', (bytes: Buffer) => {
      held = Buffer.concat([held, bytes])
      for (let next = read(held); next !== null; next = read(held)) {
        if (next === 'garbage') {
          garbage.push(held.toString('latin1', 0, 200))
          held = Buffer.alloc(0)
          socket.destroy()
          return
        }
        held = held.subarray(next.sizeBytes)
        requests.push(next.request)
        socket.write(responseTo(next.request))
        hasInvited = false
      }
      const expects = headOf(held)?.headers.some(([name]) => name === 'expect') ?? false
      if (expects && !hasInvited) socket.write('HTTP/1.1 100 Continue\r\n\r\n')
      hasInvited ||= expects
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    garbage,
    close: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

function responseTo({ method, target }: RecordedRequest): string {
  const head = `HTTP/1.1 200 OK\r\nX-Target: ${target}\r\nContent-Length: ${target.length}\r\n\r\n`
  return method === 'HEAD' ? head : head + target
}

type Head = Omit<RecordedRequest, 'body'>

function headOf(bytes: Buffer): (Head & { sizeBytes: number }) | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [requestLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const match = /^([A-Z-]+) (\S+) HTTP\/1\.[01]$/.exec(requestLine)
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  if (!match) return null
  return { method: match[1] ?? '', target: match[2] ?? '', headers, sizeBytes: end + 4 }
}

/** The request at the beginning of these bytes; null while more of it is to come. */
function read(bytes: Buffer): { request: RecordedRequest; sizeBytes: number } | 'garbage' | null {
  if (bytes.indexOf('\r\n\r\n') < 0) return bytes.length > 65_536 ? 'garbage' : null
  const head = headOf(bytes)
  if (head === null) return 'garbage'
  const { sizeBytes, ...named } = head
  const valuesOf = (wanted: string) =>
    head.headers.filter(([name]) => name === wanted).map(([, value]) => value)
  const lengths = valuesOf('content-length')
  const codings = valuesOf('transfer-encoding')
  if (lengths.length + codings.length > 1) return 'garbage'
  const rest = bytes.subarray(sizeBytes)
  const body = codings.length > 0 ? readChunks(rest) : readLength(rest, lengths[0] ?? '0')
  if (body === null || body === 'garbage') return body
  return { request: { ...named, body: body.bytes }, sizeBytes: sizeBytes + body.sizeBytes }
}

interface Body {
  bytes: Buffer
  sizeBytes: number
}

function readLength(rest: Buffer, length: string): Body | 'garbage' | null {
  if (!/^\d+$/.test(length)) return 'garbage'
  const sizeBytes = Number(length)
  return rest.length < sizeBytes ? null : { bytes: rest.subarray(0, sizeBytes), sizeBytes }
}

function readChunks(rest: Buffer): Body | 'garbage' | null {
  const chunks: Buffer[] = []
  let at = 0
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    const line = rest.toString('latin1', at, lineEnd)
    if (!/^[\da-f]+$/i.test(line)) return 'garbage'
    const sizeBytes = Number.parseInt(line, 16)
    const end = lineEnd + 2 + sizeBytes
    if (rest.length < end + 2) return null
    if (rest.toString('latin1', end, end + 2) !== '\r\n') return 'garbage'
    if (sizeBytes === 0) return { bytes: Buffer.concat(chunks), sizeBytes: end + 2 }
    chunks.push(rest.subarray(lineEnd + 2, end))
    at = end + 2
  }
}
