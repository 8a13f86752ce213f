import type { ServerResponse } from 'node:http'
import type { BudgetParticipant, ByteBudget, ByteSource } from '@floe/storage'
import { AppError } from '@floe/errors'

export interface SendBytesOptions {
  source: ByteSource
  /** Its head must be set; it is ended when all bytes are out, destroyed if they cannot be. */
  res: ServerResponse
  start: number
  end: number
  budget: ByteBudget
  /** Ends the transfer from our side, for instance at shutdown. */
  signal?: AbortSignal
  /** A client that takes nothing for so long is cut off. */
  stallTimeoutMs?: number
}

export interface SentBytes {
  /** True if every byte was handed to the operating system. */
  isComplete: boolean
  sentBytes: number
}

const patienceMs = 10 * 60_000

/**
 * Streams `[start, end)` through two alternating buffers, so that reading overlaps writing and
 * nothing is allocated per chunk. A buffer is used again only after its write has been called
 * back, for until then the socket may still read from it.
 *
 * A client that goes away ends the transfer quietly. If the source fails, the response is
 * destroyed and the error thrown: ending it would make a truncated file look complete.
 */
export async function sendBytes(options: SendBytesOptions): Promise<SentBytes> {
  const { source, res, start, end, budget } = options
  const departure = watchDeparture(options)
  const participant = budget.join()
  const lanes = [createLane(budget, participant), createLane(budget, participant)] as const
  let position = start
  let turn: 0 | 1 = 0
  try {
    while (position < end && !departure.hasHappened()) {
      const lane = lanes[turn]
      turn = turn === 0 ? 1 : 0
      if (!(await lane.ready())) break
      const wanted = lane.buffer(end - position)
      const count = await source.read(wanted, position)
      if (departure.hasHappened()) break
      if (count === 0) throw new AppError('internal', { detail: 'source ended early' })
      position += count
      lane.write(res, count === wanted.length ? wanted : wanted.subarray(0, count), departure.touch)
    }
    const drained = await Promise.all([lanes[0].ready(), lanes[1].ready()])
    const isComplete = position >= end && drained[0] && drained[1] && !departure.hasHappened()
    if (isComplete) res.end()
    return { isComplete, sentBytes: lanes[0].sentBytes + lanes[1].sentBytes }
  } catch (error) {
    res.destroy()
    throw error
  } finally {
    departure.stop()
    participant.leave()
    lanes[0].release()
    lanes[1].release()
  }
}

interface Lane {
  /** Waits for the lane's last write; false if it failed. */
  ready(): Promise<boolean>
  /** A view of the lane's buffer for at most `wantedBytes`. */
  buffer(wantedBytes: number): Uint8Array
  write(res: ServerResponse, bytes: Uint8Array, touch: () => void): void
  release(): void
  readonly sentBytes: number
}

function createLane(budget: ByteBudget, participant: BudgetParticipant): Lane {
  let held: Buffer | undefined
  let writing: Promise<boolean> | undefined
  let isBusy = false
  let sentBytes = 0

  function release() {
    // A buffer whose write was never called back is left to the collector: the pool would hand
    // it to another stream while the socket may still read from it.
    if (held !== undefined && !isBusy) budget.returnBuffer(held)
    held = undefined
  }

  return {
    ready: () => writing ?? Promise.resolve(true),
    buffer(wantedBytes) {
      const sizeBytes = participant.bufferBytes
      if (held?.length !== sizeBytes) {
        release()
        held = budget.takeBuffer(sizeBytes)
      }
      return wantedBytes < held.length ? held.subarray(0, wantedBytes) : held
    },
    write(res, bytes, touch) {
      isBusy = true
      writing = new Promise((resolve) => {
        const onGone = () => resolve(false)
        res.once('close', onGone)
        res.write(bytes, (error) => {
          res.off('close', onGone)
          isBusy = false
          if (error === null || error === undefined) sentBytes += bytes.length
          touch()
          resolve(error === null || error === undefined)
        })
      })
    },
    release,
    get sentBytes() {
      return sentBytes
    },
  }
}

/** Client gone, transfer called off, or nothing taken for too long: all end the same way. */
function watchDeparture({ res, signal, stallTimeoutMs = patienceMs }: SendBytesOptions) {
  let isGone = false
  const depart = () => {
    isGone = true
  }
  const cutOff = () => {
    isGone = true
    res.destroy()
  }
  const timer = setTimeout(cutOff, stallTimeoutMs)
  res.on('close', depart)
  res.on('error', depart)
  signal?.addEventListener('abort', cutOff, { once: true })
  if (signal?.aborted === true) cutOff()
  return {
    // `destroyed` is set before 'close' is told, and a write in between would raise an error.
    hasHappened: () => isGone || res.destroyed,
    touch: () => {
      timer.refresh()
    },
    stop() {
      clearTimeout(timer)
      res.off('close', depart)
      res.off('error', depart)
      signal?.removeEventListener('abort', cutOff)
    },
  }
}
