import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

export interface RawResponse {
  status: number
  headers: Map<string, string>
}

export interface Conversation {
  /** Final ones, in order. */
  responses: RawResponse[]
  /** `closed`: by the server; `enough`: as many responses as were waited for; `late`: neither. */
  end: 'closed' | 'enough' | 'late'
  /** What came is no response, or more came than was asked for. */
  garbage: string | null
}

export interface ConverseOptions {
  port: number
  bytes: Buffer
  splits?: readonly number[]
  /** Of the requests that are responded to, in order: a HEAD has no body. */
  methods: readonly string[]
  /** Responses to wait for; with none, the connection is closed once all is sent. */
  responses: number
  timeoutMs?: number
}

/** Sends bytes on a connection of its own, and reads what comes back by itself. */
export async function converse(options: ConverseOptions): Promise<Conversation> {
  const { port, bytes, splits = [], timeoutMs = 15_000 } = options
  const socket = connect(port, '127.0.0.1')
  const reading = readResponses(socket, options, timeoutMs)
  let from = 0
  for (const to of [...splits, bytes.length]) {
    if (socket.destroyed) break
    if (to > from) socket.write(bytes.subarray(from, to))
    from = to
    // So that it leaves by itself.
    await nextTurn()
  }
  if (options.responses === 0) socket.destroy()
  const conversation = await reading
  socket.destroy()
  return conversation
}

function readResponses(
  socket: Socket,
  { methods, responses: wanted }: ConverseOptions,
  timeoutMs: number,
): Promise<Conversation> {
  const responses: RawResponse[] = []
  let held = Buffer.alloc(0)
  return new Promise((resolve) => {
    const finish = (end: Conversation['end'], garbage: string | null = null) => {
      clearTimeout(timer)
      resolve({ responses, end, garbage })
    }
    const timer = setTimeout(() => finish('late', held.toString('latin1')), timeoutMs)
    socket.on('error', () => undefined)
    socket.on('close', () => finish('closed', held.length > 0 ? held.toString('latin1') : null))
    socket.on('end', () => socket.end())
    socket.on('data', (chunk: Buffer) => {
      held = Buffer.concat([held, chunk])
      for (;;) {
        const next = readResponse(held, methods[responses.length] ?? 'GET')
        if (next === null) break
        if (next === 'garbage') return finish('closed', held.toString('latin1'))
        held = held.subarray(next.sizeBytes)
        if (next.response.status >= 200) responses.push(next.response)
      }
      if (responses.at(-1)?.headers.get('connection') === 'close') socket.end()
      else if (responses.length >= wanted) {
        finish('enough', held.length > 0 ? held.toString('latin1') : null)
      }
    })
  })
}

function readResponse(
  bytes: Buffer,
  method: string,
): { response: RawResponse; sizeBytes: number } | 'garbage' | null {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const [line = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const match = /^HTTP\/1\.1 (\d{3}) /.exec(line)
  if (!match) return 'garbage'
  const status = Number(match[1])
  const headers = new Map(
    lines.map((text): [string, string] => {
      const colon = text.indexOf(':')
      return [text.slice(0, colon).toLowerCase(), text.slice(colon + 1).trim()]
    }),
  )
  const hasNoBody = method === 'HEAD' || status < 200 || status === 204 || status === 304
  const body = hasNoBody ? 0 : bodyBytes(bytes.subarray(headEnd + 4), headers)
  if (body === null) return null
  return { response: { status, headers }, sizeBytes: headEnd + 4 + body }
}

function bodyBytes(rest: Buffer, headers: ReadonlyMap<string, string>): number | null {
  if (headers.get('transfer-encoding') !== 'chunked') {
    const length = Number(headers.get('content-length') ?? 0)
    return rest.length < length ? null : length
  }
  const end = rest.indexOf('0\r\n\r\n')
  return end < 0 ? null : end + 5
}
