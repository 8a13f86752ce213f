import { connect, Socket } from 'node:net'
import type { ObjectReader } from '@floe/storage'

/** Where clamd listens: a host and a port, or the path of its socket. */
export interface ClamdAddress {
  host: string
  port: number
}

export type Verdict =
  | { state: 'clean' }
  /** `threat` is what clamd calls it, such as `Win.Trojan.Agent-12`. */
  | { state: 'infected'; threat: string }
  /** clamd looked at a part of it at most. */
  | { state: 'too_big' }

/** Nothing is known of the bytes. `isAway` where clamd could not be reached at all. */
export class ScanError extends Error {
  readonly isAway: boolean

  constructor(message: string, { isAway = false, cause }: { isAway?: boolean; cause?: unknown }) {
    super(message, { cause })
    this.isAway = isAway
  }
}

export interface ScanOptions {
  sizeBytes: number
  signal: AbortSignal
  connectMs?: number
  /** Without a byte from or to clamd; it scans for two minutes at most unless it is told otherwise. */
  silenceMs?: number
}

const CHUNK_BYTES = 64 * 1024

/**
 * What clamd says of these bytes, by `zINSTREAM` (clamd(8)): chunks behind their lengths in four
 * bytes, big-endian, and a chunk of no bytes at the end. Fails with ScanError.
 */
export async function scanBytes(
  { host, port }: ClamdAddress,
  reader: Pick<ObjectReader, 'read'>,
  { sizeBytes, signal, connectMs = 10_000, silenceMs = 300_000 }: ScanOptions,
): Promise<Verdict> {
  signal.throwIfAborted()
  const socket = new Conversation()
  const giveUp = () => socket.destroy()
  signal.addEventListener('abort', giveUp)
  socket.setTimeout(connectMs, () => socket.destroy(new Error('clamd is silent')))
  let isConnected = false
  socket.once('connect', () => {
    isConnected = true
    socket.setTimeout(silenceMs)
  })
  const answered = readAnswer(socket)
  socket.connect(host.startsWith('/') ? { path: host } : { host, port })
  try {
    const [answer, isWhole] = await Promise.all([answered, send(socket, reader, sizeBytes)])
    const verdict = toVerdict(answer)
    if (verdict.state === 'clean' && !isWhole) throw new Error('clamd answered too early')
    return verdict
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof ScanError) throw cause
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new ScanError(message, { isAway: !isConnected, cause })
  } finally {
    signal.removeEventListener('abort', giveUp)
    socket.destroy()
  }
}

/** Whether clamd answers at all. */
export async function answersPing(
  { host, port }: ClamdAddress,
  { timeoutMs = 3_000 } = {},
): Promise<boolean> {
  const socket = connect(host.startsWith('/') ? { path: host } : { host, port })
  socket.setTimeout(timeoutMs, () => socket.destroy())
  const answered = readAnswer(socket)
  socket.write('zPING\0')
  try {
    return (await answered) === 'PONG'
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** clamd refuses what is longer than it takes and closes: its answer is read nevertheless. */
class Conversation extends Socket {
  isBroken = false

  override _write(
    chunk: Uint8Array,
    encoding: BufferEncoding,
    done: (error?: Error | null) => void,
  ): void {
    super._write(chunk, encoding, (error) => {
      if (error) this.isBroken = true
      done()
    })
  }
}

/**
 * False where clamd took a part only. Fails where fewer or more bytes are there than the file has:
 * the verdict would be of others.
 */
async function send(
  socket: Conversation,
  reader: Pick<ObjectReader, 'read'>,
  sizeBytes: number,
): Promise<boolean> {
  const write = (bytes: Buffer | string) =>
    new Promise<void>((resolve, reject) => {
      socket.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
  await write('zINSTREAM\0')
  const frame = Buffer.allocUnsafe(4 + CHUNK_BYTES)
  for (let position = 0; !socket.isBroken;) {
    const bytes = await reader.read(frame.subarray(4), position)
    if (bytes === 0 && position !== sizeBytes) {
      throw new ScanError(`${position} of ${sizeBytes} bytes are stored`, {})
    }
    frame.writeUInt32BE(bytes, 0)
    await write(frame.subarray(0, 4 + bytes))
    if (bytes === 0) return !socket.isBroken
    position += bytes
  }
  return false
}

/** What stands before the zero byte that ends an answer; one without it was cut. */
function readAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => {
      text += part
      const end = text.indexOf('\0')
      if (end !== -1) resolve(text.slice(0, end))
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('clamd ended the connection without an answer')))
  })
}

function toVerdict(answer: string): Verdict {
  if (answer === 'stream: OK') return { state: 'clean' }
  const threat = /^stream: (.+) FOUND$/.exec(answer)?.[1]
  const isBeyondLimits =
    answer.startsWith('INSTREAM size limit exceeded') ||
    (threat?.startsWith('Heuristics.Limits.Exceeded') ?? false)
  if (isBeyondLimits) return { state: 'too_big' }
  if (threat !== undefined) return { state: 'infected', threat }
  throw new ScanError(`clamd answered: ${answer.slice(0, 200)}`, {})
}
