import { type DecodeChild, type DecodeLog, startDecodeChild } from './decode-child.ts'
import { createKeptChild } from './kept-child.ts'
import type { DecodeResponse, Results, Task } from './messages.ts'
import type { PictureSource } from './thumbnail.ts'
import { within } from './within.ts'

export interface DecoderOptions {
  log: DecodeLog & { warn(fields: object, message: string): void }
  /** How long a picture may take once its bytes are there. */
  timeoutMs?: number
  /** How long the process waits for another picture before it is ended. */
  idleMs?: number
  startChild?: (log: DecodeLog) => DecodeChild
}

/** See `ThumbnailOutcome` for what the states mean. */
export type DecodeOutcome<T extends Task = Task> =
  | { state: 'made'; result: Results[T] }
  | { state: 'refused' | 'lost' | 'unavailable'; reason: string }

export interface Decoder {
  /**
   * One picture at a time; others wait for their turn. Fails with what `read` throws, and with the
   * reason of the signal.
   */
  decode<T extends Task>(
    task: T,
    picture: PictureSource,
    options: { signal: AbortSignal },
  ): Promise<DecodeOutcome<T>>
  /** Whether pictures can be decoded here at all. */
  isAvailable(): Promise<boolean>
  /** Ends the process if there is one. */
  stop(): Promise<void>
}

const READ_BYTES = 256 * 1024

/**
 * Decodes in a process that is started when there is a picture, kept while more follow, and killed
 * when one takes too long. Its crash is an outcome, not an error.
 */
export function createDecoder({
  log,
  timeoutMs = 30_000,
  idleMs = 5_000,
  startChild = startDecodeChild,
}: DecoderOptions): Decoder {
  const kept = createKeptChild({ log, startChild })
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  function enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(() => {
      clearTimeout(idle)
      return work()
    })
    last = result.then(rest, rest)
    return result
  }

  function rest(): void {
    idle = setTimeout(() => void enqueue(kept.end), idleMs)
    idle.unref()
  }

  async function decode<T extends Task>(
    task: T,
    picture: PictureSource,
    signal: AbortSignal,
  ): Promise<DecodeOutcome<T>> {
    signal.throwIfAborted()
    const child = await kept.ensure()
    if ('state' in child) return child
    const stop = () => void child.kill()
    signal.addEventListener('abort', stop)
    try {
      const response = await converse(child, { task, picture, timeoutMs })
      signal.throwIfAborted()
      if (!isMore(response)) await kept.end()
      return toOutcome<T>(response)
    } catch (error) {
      // The child would take the next picture's bytes for the rest of this one's.
      await kept.end()
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  return {
    decode: (task, picture, { signal }) => enqueue(() => decode(task, picture, signal)),
    isAvailable: () =>
      enqueue(async () => {
        const found = await kept.ensure()
        return !('state' in found) || found.state !== 'unavailable'
      }),
    stop: async () => {
      await kept.kill()
      await enqueue(kept.end)
      clearTimeout(idle)
    },
  }
}

async function converse(
  child: DecodeChild,
  { task, picture, timeoutMs }: { task: Task; picture: PictureSource; timeoutMs: number },
): Promise<DecodeResponse | 'late' | null> {
  const isSent = await sendPicture(child, task, picture)
  return isSent ? within(timeoutMs, child.nextResponse()) : null
}

async function sendPicture(
  child: DecodeChild,
  task: Task,
  { sizeBytes, read }: PictureSource,
): Promise<boolean> {
  if (!(await child.send({ type: 'picture', task, sizeBytes }))) return false
  const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, sizeBytes))
  for (let position = 0; position < sizeBytes;) {
    const chunk = buffer.subarray(0, Math.min(buffer.length, sizeBytes - position))
    const count = await read(chunk, position)
    if (count === 0) throw new Error('the picture ended early')
    if (!(await child.send({ type: 'bytes', bytes: chunk.subarray(0, count) }))) return false
    position += count
  }
  return true
}

/** Whether the process can take another picture after this response. */
function isMore(response: DecodeResponse | 'late' | null): boolean {
  return response !== null && response !== 'late' && response.type !== 'exhausted'
}

function toOutcome<T extends Task>(response: DecodeResponse | 'late' | null): DecodeOutcome<T> {
  if (response === 'late') return { state: 'lost', reason: 'it took too long' }
  switch (response?.type) {
    case 'made':
      // One response for each picture, in the order in which they were sent.
      return { state: 'made', result: response.result as Results[T] }
    case 'refused':
    case 'exhausted':
      return { state: 'refused', reason: response.reason }
    default:
      return { state: 'lost', reason: 'the process for pictures died' }
  }
}
