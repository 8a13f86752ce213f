import { type DecodeChild, type DecodeLog, startDecodeChild } from './decode-child.ts'
import type { Answer } from './messages.ts'
import {
  MOST_PICTURE_BYTES,
  type PictureSource,
  type Thumbnailer,
  type ThumbnailOutcome,
} from './thumbnail.ts'

export interface ThumbnailerOptions {
  log: DecodeLog & { warn(fields: object, message: string): void }
  /** How long a picture may take once its bytes are there. */
  timeoutMs?: number
  /** How long the process waits for another picture before it is ended. */
  idleMs?: number
  startChild?: (log: DecodeLog) => DecodeChild
}

type Outcome = ThumbnailOutcome
const READ_BYTES = 256 * 1024
const START_TIMEOUT_MS = 30_000

/**
 * Decodes in a process that is started when there is a picture, kept while more follow, and killed
 * when one takes too long. Its crash is an outcome, not an error.
 */
export function createThumbnailer({
  log,
  timeoutMs = 30_000,
  idleMs = 5_000,
  startChild = startDecodeChild,
}: ThumbnailerOptions): Thumbnailer {
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
  async function ensureChild(): Promise<DecodeChild | Exclude<Outcome, { state: 'made' }>> {
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
    log.warn({ reason: answer.reason }, 'pictures cannot be decoded here: there are no thumbnails')
    return { state: 'unavailable', reason: answer.reason }
  }

  async function make(picture: PictureSource, signal: AbortSignal): Promise<Outcome> {
    signal.throwIfAborted()
    if (picture.sizeBytes === 0) return { state: 'refused', reason: 'it is empty' }
    if (picture.sizeBytes > MOST_PICTURE_BYTES) return { state: 'refused', reason: 'it is too big' }
    const worker = await ensureChild()
    if ('state' in worker) return worker
    const stop = () => void worker.kill()
    signal.addEventListener('abort', stop)
    try {
      const answer = await converse(worker, picture, timeoutMs)
      signal.throwIfAborted()
      if (!isMore(answer)) await end()
      return toOutcome(answer)
    } catch (error) {
      // It would take the next picture's bytes for the rest of this one's.
      await end()
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  return {
    make: (picture, { signal }) => takeTurn(() => make(picture, signal)),
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
  picture: PictureSource,
  timeoutMs: number,
): Promise<Answer | 'late' | null> {
  const isSent = await sendPicture(worker, picture)
  return isSent ? within(timeoutMs, worker.nextAnswer()) : null
}

async function sendPicture(
  worker: DecodeChild,
  { sizeBytes, read }: PictureSource,
): Promise<boolean> {
  if (!(await worker.send({ type: 'picture', sizeBytes }))) return false
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

function toOutcome(answer: Answer | 'late' | null): Outcome {
  if (answer === 'late') return { state: 'lost', reason: 'it took too long' }
  switch (answer?.type) {
    case 'made': {
      const { bytes, width, height } = answer
      return { state: 'made', thumbnail: { bytes, width, height } }
    }
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
