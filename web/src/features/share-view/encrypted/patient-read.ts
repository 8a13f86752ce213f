import { FloeError } from '@floe/encryption'
import { retryPause } from '../../../shared/upload/retry-pause.ts'
import { Refusal } from './read-stored.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Bytes from `start` up to and without `end`. */
export interface Span {
  start: number
  end: number
}

/** A server that is away for longer is waited for by the browser's own "resume". */
const MOST_FAILURES = 12

/**
 * All of a span of a file, however often the connection is lost.
 *
 * @throws FloeError Where what is stored is not what was sent.
 * @throws Refusal Where the server does not give it out any more.
 */
export async function* readPatiently(
  read: (span: Span) => AsyncIterable<Bytes>,
  { start, end }: Span,
  signal: AbortSignal,
): AsyncGenerator<Bytes, undefined> {
  let at = start
  let isRead = false
  for (let failures = 0; !isRead; failures += 1) {
    if (failures > 0) await retryPause(failures, signal)
    if (signal.aborted) return undefined
    try {
      for await (const text of read({ start: at, end })) {
        yield text
        at += text.length
        failures = 0
      }
      // An empty file, too, is read: its one segment says that it is empty.
      isRead = at === end
      if (!isRead && failures >= MOST_FAILURES) throw new Error('the connection was lost')
    } catch (error) {
      if (error instanceof FloeError || error instanceof Refusal) throw error
      // What was lost behind the last byte is nobody's loss.
      isRead = at === end && at > start
      if (!isRead && failures >= MOST_FAILURES) throw error
    }
  }
  return undefined
}

/** Pulled by whom it is for, and read no further than he does. */
export function toStream(
  read: (signal: AbortSignal) => AsyncGenerator<Bytes, undefined>,
): ReadableStream<Bytes> {
  const gone = new AbortController()
  const pieces = read(gone.signal)
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      gone.abort()
      await pieces.return(undefined)
    },
  })
}
