import type { Readable } from 'node:stream'

/** How many bytes to gather before they are handed on; asked again for each batch. */
export interface BatchSize {
  readonly batchBytes: number
}

export interface ReadBatchesOptions {
  batch: BatchSize
  /** Called with every piece that comes, before it is looked at. */
  onArrival?: () => void
  /** Called with one batch at a time; the next waits for it. */
  onBatch(chunks: readonly Buffer[], bytes: number): Promise<void>
  /** Stops reading. What was gathered before is still handed on. */
  signal: AbortSignal
  /** A body longer than this ends with `overflow`; its excess is never handed on. */
  maxBytes: number
}

/** `complete`: the whole body; `cut`: the sender went away or was evicted; `overflow`: too long. */
export type BodyEnd = 'complete' | 'cut' | 'overflow'

/**
 * Reads the body of a request in batches. The socket keeps filling the next batch while the current one
 * is being written, and pauses when that is full too: at most two batches are in memory. Streams
 * between socket and disk (pipes, Transforms, web streams) cost more than the copy itself.
 */
export function readBatches(body: Readable, options: ReadBatchesOptions): Promise<BodyEnd> {
  const { batch, onArrival, onBatch, signal, maxBytes } = options
  return new Promise((resolve, reject) => {
    let gathered: Buffer[] = []
    let gatheredBytes = 0
    let receivedBytes = 0
    let writing = false
    let end: BodyEnd | null = null
    let settled = false

    const finish = (outcome: BodyEnd) => {
      end ??= outcome
      advance()
    }
    const onData = (chunk: Buffer) => {
      onArrival?.()
      if (end !== null) return
      receivedBytes += chunk.length
      if (receivedBytes > maxBytes) return finish('overflow')
      gathered.push(chunk)
      gatheredBytes += chunk.length
      if (gatheredBytes >= batch.batchBytes) {
        if (writing) body.pause()
        else advance()
      }
    }
    const onEnd = () => finish('complete')
    // A body may have arrived whole and still be lost in part: a connection that closes while the body
    // is paused drops what was buffered. Only `end` proves that all was read.
    const onClose = () => finish(body.readableEnded ? 'complete' : 'cut')
    const onAbort = () => {
      body.pause()
      finish('cut')
    }
    // The connection's error is told by `close`; without a listener it would be thrown.
    const onError = () => undefined

    function advance() {
      if (writing || settled) return
      const due = gatheredBytes > 0 && (end !== null || gatheredBytes >= batch.batchBytes)
      if (!due || end === 'overflow') {
        if (end !== null) settle(() => resolve(end ?? 'cut'))
        // The batch grew since the pause (other streams left): what is here no longer fills it.
        else if (body.isPaused()) body.resume()
        return
      }
      const chunks = gathered
      const bytes = gatheredBytes
      gathered = []
      gatheredBytes = 0
      writing = true
      if (body.isPaused() && end === null) body.resume()
      onBatch(chunks, bytes).then(
        () => {
          writing = false
          advance()
        },
        (error: unknown) => settle(() => reject(error)),
      )
    }
    function settle(done: () => void) {
      settled = true
      body.off('data', onData)
      body.off('end', onEnd)
      body.off('close', onClose)
      signal.removeEventListener('abort', onAbort)
      if (end === null) body.pause()
      done()
    }

    body.on('error', onError)
    if (body.readableEnded) return finish('complete')
    if (body.destroyed) return finish('cut')
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort)
    body.on('end', onEnd)
    body.on('close', onClose)
    body.on('data', onData)
  })
}
