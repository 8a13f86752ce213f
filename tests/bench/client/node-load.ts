/**
 * The same command line as `load.c`, for machines without a C compiler. It costs more processor
 * time than the C client, so absolute figures are lower; ratios still compare like with like.
 */
import { connect, type Socket } from 'node:net'
import { parseArgs } from 'node:util'

const PERIOD = 1048573
const SEND_BYTES = 1 << 20
const RECEIVE_BYTES = 256 << 10

interface Options {
  port: number
  method: string
  sizeBytes: number
  requestBytes: number
  count: number
  connections: number
  isTus: boolean
  isVerified: boolean
  untilClose: boolean
  headers: string[]
  paths: string[]
}

interface Transfer {
  bytes: number
  firstByteMs: number
}

function makePattern(): Buffer {
  const pattern = Buffer.allocUnsafe(PERIOD + SEND_BYTES)
  let x = 2463534242
  for (let i = 0; i < PERIOD; i++) {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    pattern[i] = x & 255
  }
  for (let i = PERIOD; i < pattern.length; i++) pattern[i] = pattern[i - PERIOD] ?? 0
  return pattern
}

interface HttpResponse {
  status: number
  /** -1: not announced. */
  length: number
  body: Buffer
}

/** `undefined` while the head is incomplete. */
function parseResponse(received: Buffer): HttpResponse | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = received.toString('latin1', 0, end)
  const length = /^content-length: *(\d+)/im.exec(head)
  return {
    status: Number(head.slice(9, 12)),
    length: length ? Number(length[1]) : -1,
    body: received.subarray(end + 4),
  }
}

interface Connection {
  socket: Socket
  /** Called with each block received; the block is reused afterwards. */
  onBlock: (block: Buffer) => void
  onEnd: (error?: Error) => void
}

async function openConnection(port: number): Promise<Connection> {
  const buffer = Buffer.allocUnsafeSlow(RECEIVE_BYTES)
  const connection: Connection = {
    socket: connect({
      port,
      host: '127.0.0.1',
      onread: {
        buffer,
        callback: (bytes) => {
          connection.onBlock(buffer.subarray(0, bytes))
          return true
        },
      },
    }),
    onBlock: () => undefined,
    onEnd: () => undefined,
  }
  const { socket } = connection
  socket.setNoDelay(true)
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject)
  })
  socket.on('error', (error) => connection.onEnd(error)).on('end', () => connection.onEnd())
  return connection
}

function receiveResponse(connection: Connection): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0)
    connection.onEnd = (error) => reject(error ?? new Error('connection closed'))
    connection.onBlock = (block) => {
      received = Buffer.concat([received, block])
      const response = parseResponse(received)
      if (response && (response.length <= 0 || response.body.length >= response.length))
        resolve(response)
    }
  })
}

function refuse(path: string, { status, body }: HttpResponse): never {
  throw new Error(`${path} returned ${status}: ${body.toString('utf8', 0, 300)}`)
}

function send(socket: Socket, data: Buffer | string): Promise<void> | undefined {
  if (socket.write(data)) return undefined
  return new Promise((resolve) => {
    socket.once('drain', resolve).once('close', resolve)
  })
}

async function writePath(options: Options, path: string, pattern: Buffer): Promise<Transfer> {
  const connection = await openConnection(options.port)
  let offset = 0
  do {
    const end = Math.min(options.sizeBytes, offset + options.requestBytes)
    const pending = receiveResponse(connection)
    await send(connection.socket, writeHead(options, path, offset, end - offset))
    for (let at = offset; at < end && !connection.socket.destroyed; at += SEND_BYTES) {
      const from = at % PERIOD
      await send(connection.socket, pattern.subarray(from, from + Math.min(SEND_BYTES, end - at)))
    }
    const response = await pending
    if (response.status < 200 || response.status > 204) refuse(path, response)
    offset = end
  } while (offset < options.sizeBytes)
  connection.socket.destroy()
  return { bytes: offset, firstByteMs: 0 }
}

function writeHead(options: Options, path: string, offset: number, length: number): string {
  const lines = [
    `${options.method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${options.port}`,
    `Content-Length: ${length}`,
    ...(options.isTus
      ? [
          'Tus-Resumable: 1.0.0',
          `Upload-Offset: ${offset}`,
          'Content-Type: application/offset+octet-stream',
        ]
      : []),
    ...options.headers,
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

async function readPath(options: Options, path: string, pattern: Buffer): Promise<Transfer> {
  const connection = await openConnection(options.port)
  const started = performance.now()
  let firstByteMs = 0
  let bytes = 0
  const accept = (block: Buffer): void => {
    if (bytes === 0 && block.length > 0) firstByteMs = performance.now() - started
    if (options.isVerified) verify(block, bytes, pattern, path)
    bytes += block.length
  }
  await new Promise<void>((resolve, reject) => {
    let head: Buffer | undefined = Buffer.alloc(0)
    let length = -1
    connection.onEnd = (error) => (error ? reject(error) : resolve())
    connection.onBlock = (block) => {
      try {
        if (head) {
          head = Buffer.concat([head, block])
          const response = parseResponse(head)
          if (!response) return
          if (response.status !== 200) refuse(path, response)
          head = undefined
          length = response.length
          accept(response.body)
        } else accept(block)
        if (length >= 0 && bytes >= length) resolve()
      } catch (error) {
        reject(error)
      }
    }
    const lines = [`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${options.port}`, ...options.headers]
    if (options.untilClose) lines.push('Connection: close')
    connection.socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  })
  connection.socket.destroy()
  if (bytes < options.sizeBytes) throw new Error(`${path} ended after ${bytes} bytes`)
  return { bytes, firstByteMs }
}

function verify(block: Buffer, offset: number, pattern: Buffer, path: string): void {
  const from = offset % PERIOD
  if (block.compare(pattern, from, from + block.length) !== 0) {
    throw new Error(`${path} has wrong bytes within ${block.length} after offset ${offset}`)
  }
}

async function movePaths(
  options: Options,
  move: (options: Options, path: string, pattern: Buffer) => Promise<Transfer>,
  pattern: Buffer,
): Promise<object> {
  const started = performance.now()
  const moved = await Promise.all(options.paths.map((path) => move(options, path, pattern)))
  return {
    bytes: moved.reduce((sum, { bytes }) => sum + bytes, 0),
    seconds: (performance.now() - started) / 1000,
    firstByteMs: Math.max(...moved.map(({ firstByteMs }) => firstByteMs)),
  }
}

async function createFiles(options: Options, pattern: Buffer): Promise<object> {
  const body = pattern.subarray(0, options.sizeBytes)
  const latencies: number[] = []
  const headers = options.headers.join('\r\n')
  let next = 0
  const runConnection = async (): Promise<void> => {
    const connection = await openConnection(options.port)
    while (next < options.count) {
      const name = Buffer.from(`f-${`${next++}`.padStart(6, '0')}.bin`).toString('base64')
      const head =
        `POST ${options.paths[0]} HTTP/1.1\r\nHost: 127.0.0.1:${options.port}\r\n` +
        'Tus-Resumable: 1.0.0\r\nContent-Type: application/offset+octet-stream\r\n' +
        `Upload-Length: ${options.sizeBytes}\r\nContent-Length: ${options.sizeBytes}\r\n` +
        `${headers}${name}\r\n\r\n`
      const sentAt = performance.now()
      const pending = receiveResponse(connection)
      connection.socket.write(Buffer.concat([Buffer.from(head), body]))
      const response = await pending
      if (response.status !== 201) refuse(options.paths[0] ?? '', response)
      latencies.push(performance.now() - sentAt)
    }
    connection.socket.destroy()
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: options.connections }, runConnection))
  const seconds = (performance.now() - started) / 1000
  latencies.sort((a, b) => a - b)
  return {
    files: options.count,
    seconds,
    medianMs: latencies[Math.floor(options.count / 2)],
    p99Ms: latencies[Math.floor(options.count * 0.99)],
  }
}

async function drainInput(): Promise<object> {
  const started = performance.now()
  let bytes = 0
  for await (const block of process.stdin) bytes += (block as Buffer).length
  return { bytes, seconds: (performance.now() - started) / 1000, firstByteMs: 0 }
}

function parseOptions(): Options {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(3),
    allowPositionals: true,
    options: {
      port: { type: 'string', default: '0' },
      method: { type: 'string', default: 'PATCH' },
      size: { type: 'string', default: '0' },
      'request-size': { type: 'string' },
      count: { type: 'string', default: '1' },
      connections: { type: 'string', default: '1' },
      tus: { type: 'boolean', default: false },
      verify: { type: 'boolean', default: false },
      'until-close': { type: 'boolean', default: false },
      header: { type: 'string', multiple: true, default: [] },
    },
  })
  return {
    port: Number(values.port),
    method: values.method,
    sizeBytes: Number(values.size),
    requestBytes: Number(values['request-size'] ?? values.size),
    count: Number(values.count),
    connections: Number(values.connections),
    isTus: values.tus,
    isVerified: values.verify,
    untilClose: values['until-close'],
    headers: values.header,
    paths: positionals,
  }
}

async function run(command: string | undefined): Promise<object> {
  if (command === 'drain') return drainInput()
  const options = parseOptions()
  const pattern = makePattern()
  if (command === 'write') return movePaths(options, writePath, pattern)
  if (command === 'read') return movePaths(options, readPath, pattern)
  if (command === 'create') return createFiles(options, pattern)
  throw new Error(`unknown command ${command}`)
}

console.log(JSON.stringify(await run(process.argv[2])))
