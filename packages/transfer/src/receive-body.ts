import type { Readable } from 'node:stream'

/** How many bytes are gathered before they are handed on; asked again for each batch. */
export interface BatchMemory {
  /** From here on the sender is paused while the batch before is still being taken. */
  readonly batchBytes: number
  /** Frees the chunks of a batch that was taken; without it, those who took them may keep them. */
  release?(chunks: readonly Buffer[]): void
}

export interface ReceiveBodyOptions {
  batch: BatchMemory
  /** Hands on at the end of each turn of the event loop what has come, if nothing is being taken. */
  isPrompt?: boolean
  /** Called with the length of every piece that comes, before it is looked at. */
  onArrival?: (bytes: number) => void
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
 * is being taken, and pauses when that is full too: at most two batches are in memory. Streams
 * between socket and sink (pipes, Transforms, web streams) cost more than the copy itself.
 */
export function receiveBody(body: Readable, options: ReceiveBodyOptions): Promise<BodyEnd> {
  return new Promise((resolve, reject) => {
    new BodyReceiver(body, options, { resolve, reject }).begin()
  })
}

interface Outcome {
  resolve(end: BodyEnd): void
  reject(error: unknown): void
}

class BodyReceiver {
  readonly #body: Readable
  readonly #options: ReceiveBodyOptions
  readonly #outcome: Outcome
  #gathered: Buffer[] = []
  #gatheredBytes = 0
  #receivedBytes = 0
  /** `turning`: a batch is handed on at the end of this turn of the event loop. */
  #state: 'gathering' | 'turning' | 'taking' | 'settled' = 'gathering'
  #end: BodyEnd | null = null

  constructor(body: Readable, options: ReceiveBodyOptions, outcome: Outcome) {
    this.#body = body
    this.#options = options
    this.#outcome = outcome
  }

  begin(): void {
    const body = this.#body
    const { signal } = this.#options
    // The connection's error is told by `close`; without a listener it would be thrown.
    body.on('error', () => undefined)
    if (body.readableEnded) return this.#finish('complete')
    if (body.destroyed) return this.#finish('cut')
    if (signal.aborted) return this.#onAbort()
    signal.addEventListener('abort', this.#onAbort)
    body.on('end', this.#onEnd)
    body.on('close', this.#onClose)
    body.on('data', this.#onData)
  }

  readonly #onEnd = () => this.#finish('complete')
  // A body may have arrived whole and still be lost in part: a connection that closes while the body
  // is paused drops what was buffered. Only `end` proves that all was read.
  readonly #onClose = () => this.#finish(this.#body.readableEnded ? 'complete' : 'cut')
  readonly #onAbort = () => {
    this.#body.pause()
    this.#finish('cut')
  }
  readonly #onData = (chunk: Buffer) => {
    const { onArrival, maxBytes, isPrompt } = this.#options
    onArrival?.(chunk.length)
    if (this.#end !== null) return
    this.#receivedBytes += chunk.length
    if (this.#receivedBytes > maxBytes) return this.#finish('overflow')
    this.#gathered.push(chunk)
    this.#gatheredBytes += chunk.length
    if (this.#isFull()) {
      if (this.#state === 'taking') this.#body.pause()
      else this.#advance()
    } else if (isPrompt && this.#state === 'gathering') {
      this.#state = 'turning'
      setImmediate(() => this.#endTurn())
    }
  }

  #isFull(): boolean {
    return this.#gatheredBytes >= this.#options.batch.batchBytes
  }

  #finish(end: BodyEnd): void {
    this.#end ??= end
    this.#advance()
  }

  #endTurn(): void {
    if (this.#state !== 'turning') return
    this.#state = 'gathering'
    if (this.#gatheredBytes > 0) this.#handOn()
  }

  #advance(): void {
    if (this.#state === 'taking' || this.#state === 'settled') return
    const isDue = this.#gatheredBytes > 0 && (this.#end !== null || this.#isFull())
    if (isDue && this.#end !== 'overflow') return this.#handOn()
    if (this.#end !== null) return this.#settle(() => this.#outcome.resolve(this.#end ?? 'cut'))
    // The batch grew since the pause (other streams left): what is here no longer fills it.
    if (this.#body.isPaused()) this.#body.resume()
    if (this.#options.isPrompt && this.#gatheredBytes > 0) this.#handOn()
  }

  #handOn(): void {
    const chunks = this.#gathered
    const bytes = this.#gatheredBytes
    this.#gathered = []
    this.#gatheredBytes = 0
    this.#state = 'taking'
    if (this.#body.isPaused() && this.#end === null) this.#body.resume()
    this.#options.onBatch(chunks, bytes).then(
      () => {
        this.#options.batch.release?.(chunks)
        this.#state = 'gathering'
        this.#advance()
      },
      (error: unknown) => this.#settle(() => this.#outcome.reject(error)),
    )
  }

  #settle(done: () => void): void {
    this.#state = 'settled'
    this.#body.off('data', this.#onData)
    this.#body.off('end', this.#onEnd)
    this.#body.off('close', this.#onClose)
    this.#options.signal.removeEventListener('abort', this.#onAbort)
    if (this.#end === null) this.#body.pause()
    done()
  }
}
