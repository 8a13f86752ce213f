import { type DecodeChild, type DecodeLog, startDecodeChild } from './decode-child.ts'
import type { Answer, Results, Task } from './messages.ts'
import type { PictureSource } from './thumbnail.ts'

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
const START_TIMEOUT_MS = 30_000

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
  let child: DecodeChild | null = null
  let unavailableReason: string | null = null
  let idle: NodeJS.Timeout | undefined
  let turn: Promise<unknown> = Promise.resolve()

  function takeTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(() => {
      clearTimeout(idle)
      return work()
    })
    turn = result.then(rest, rest)
    return result
  }

  function rest(): void {
    idle = setTimeout(() => void takeTurn(end), idleMs)
    idle.unref()
  }

  async function end(): Promise<void> {
    const ended = child
    child = null
    await ended?.kill()
  }

  /** The process, or why there is none: by accident, or for good. */
  async function ensureChild(): Promise<DecodeChild | Exclude<DecodeOutcome, { state: 'made' }>> {
    if (unavailableReason !== null) return { state: 'unavailable', reason: unavailableReason }
    if (child && !child.isGone()) return child
    child = startChild(log)
    const answer = await within(START_TIMEOUT_MS, child.nextAnswer())
    if (answer !== 'late' && answer?.type === 'ready') return child
    await end()
    if (answer === 'late' || answer?.type !== 'unavailable') {
      return { state: 'lost', reason: 'the process for pictures did not start' }
    }
    unavailableReason = answer.reason
    log.warn(
      { reason: answer.reason },
      'images cannot be decoded on this machine; thumbnails and logos are off',
    )
    return { state: 'unavailable', reason: answer.reason }
  }

  async function decode<T extends Task>(
    task: T,
    picture: PictureSource,
    signal: AbortSignal,
  ): Promise<DecodeOutcome<T>> {
    signal.throwIfAborted()
    const worker = await ensureChild()
    if ('state' in worker) return worker
    const stop = () => void worker.kill()
    signal.addEventListener('abort', stop)
    try {
      const answer = await converse(worker, { task, picture, timeoutMs })
      signal.throwIfAborted()
      if (!isMore(answer)) await end()
      return toOutcome<T>(answer)
    } catch (error) {
      // It would take the next picture's bytes for the rest of this one's.
      await end()
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  return {
    decode: (task, picture, { signal }) => takeTurn(() => decode(task, picture, signal)),
    isAvailable: () =>
      takeTurn(async () => {
        const found = await ensureChild()
        return !('state' in found) || found.state !== 'unavailable'
      }),
    stop: async () => {
      await child?.kill()
      await takeTurn(end)
      clearTimeout(idle)
    },
  }
}

async function converse(
  worker: DecodeChild,
  { task, picture, timeoutMs }: { task: Task; picture: PictureSource; timeoutMs: number },
): Promise<Answer | 'late' | null> {
  const isSent = await sendPicture(worker, task, picture)
  return isSent ? within(timeoutMs, worker.nextAnswer()) : null
}

async function sendPicture(
  worker: DecodeChild,
  task: Task,
  { sizeBytes, read }: PictureSource,
): Promise<boolean> {
  if (!(await worker.send({ type: 'picture', task, sizeBytes }))) return false
  const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, sizeBytes))
  for (let position = 0; position < sizeBytes;) {
    const room = buffer.subarray(0, Math.min(buffer.length, sizeBytes - position))
    const count = await read(room, position)
    if (count === 0) throw new Error('the picture ended early')
    if (!(await worker.send({ type: 'bytes', bytes: room.subarray(0, count) }))) return false
    position += count
  }
  return true
}

/** Whether the process can take another picture after this answer. */
function isMore(answer: Answer | 'late' | null): boolean {
  return answer !== null && answer !== 'late' && answer.type !== 'exhausted'
}

function toOutcome<T extends Task>(answer: Answer | 'late' | null): DecodeOutcome<T> {
  if (answer === 'late') return { state: 'lost', reason: 'it took too long' }
  switch (answer?.type) {
    case 'made':
      // One answer for each picture, in the order in which they were sent.
      return { state: 'made', result: answer.result as Results[T] }
    case 'refused':
    case 'exhausted':
      return { state: 'refused', reason: answer.reason }
    default:
      return { state: 'lost', reason: 'the process for pictures died' }
  }
}

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), timeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
