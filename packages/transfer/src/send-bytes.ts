import type { ServerResponse } from 'node:http'
import { AppError } from '@floe/errors'
import type { ByteSource } from './byte-source.ts'
import type { MemoryShare, TransferMemory } from './memory/transfer-memory.ts'

export interface SendBytesOptions {
  source: ByteSource
  /** Its head must be set; it is ended when all bytes are out, destroyed if they cannot be. */
  res: ServerResponse
  start: number
  end: number
  memory: TransferMemory
  /** Told of bytes once they were handed to the operating system. */
  onSent?: (bytes: number) => void
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
 * nothing is allocated per chunk. A buffer is used again only after its write was called back or
 * the connection is closed, for until then the socket may still read from it.
 *
 * A client that goes away ends the transfer quietly. If the source fails, the response is
 * destroyed and the error thrown: ending it would make a truncated file look complete.
 */
export async function sendBytes(options: SendBytesOptions): Promise<SentBytes> {
  const { source, res, start, end, memory, onSent = () => undefined } = options
  const share = memory.join()
  const lanes = [createLane(memory, share, onSent), createLane(memory, share, onSent)] as const
  const departure = watchDeparture(options, () => {
    lanes[0].abandonWrite()
    lanes[1].abandonWrite()
  })
  let position = start
  let next: 0 | 1 = 0
  try {
    while (position < end && !departure.hasHappened()) {
      const lane = lanes[next]
      next = next === 0 ? 1 : 0
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
    departure.cutOff()
    await Promise.all([lanes[0].ready(), lanes[1].ready()])
    throw error
  } finally {
    departure.stop()
    share.leave()
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
  /** The connection is closed: nothing reads from the buffer, and a callback may never come. */
  abandonWrite(): void
  release(): void
  readonly sentBytes: number
}

function createLane(
  memory: TransferMemory,
  share: MemoryShare,
  onSent: (bytes: number) => void,
): Lane {
  let held: Buffer | undefined
  let writing: Promise<boolean> = Promise.resolve(true)
  let settle: ((isSent: boolean) => void) | undefined
  let sentBytes = 0

  function giveBack() {
    if (held !== undefined) memory.returnBuffer(held)
    held = undefined
  }

  return {
    ready: () => writing,
    buffer(wantedBytes) {
      const sizeBytes = share.bufferBytes
      if (held?.length !== sizeBytes) {
        giveBack()
        held = memory.takeBuffer(sizeBytes)
      }
      return wantedBytes < held.length ? held.subarray(0, wantedBytes) : held
    },
    write(res, bytes, touch) {
      writing = new Promise((resolve) => {
        settle = resolve
        res.write(bytes, (error) => {
          const isSent = error === null || error === undefined
          if (isSent) {
            sentBytes += bytes.length
            onSent(bytes.length)
          }
          touch()
          resolve(isSent)
        })
      })
    },
    abandonWrite: () => settle?.(false),
    release: giveBack,
    get sentBytes() {
      return sentBytes
    },
  }
}

/**
 * Client gone, transfer called off, or nothing taken for too long: all end with the connection
 * closed. The connection is watched and not the response, which hears nothing of its end while
 * an earlier one on the same connection is still being sent.
 */
function watchDeparture(
  { res, signal, stallTimeoutMs = patienceMs }: SendBytesOptions,
  onClosed: () => void,
) {
  const { socket } = res.req
  let isOver = false
  // A write that fails because the client left reports itself on the response as well.
  const ignore = () => undefined
  const cutOff = () => {
    res.destroy()
    socket.destroy()
  }
  const stall = setTimeout(cutOff, stallTimeoutMs)
  socket.once('close', onClosed)
  res.on('error', ignore)
  signal?.addEventListener('abort', cutOff, { once: true })
  if (signal?.aborted === true) cutOff()
  return {
    hasHappened: () => res.destroyed || socket.destroyed,
    cutOff,
    touch() {
      if (!isOver) stall.refresh()
    },
    stop() {
      isOver = true
      clearTimeout(stall)
      socket.off('close', onClosed)
      res.off('error', ignore)
      signal?.removeEventListener('abort', cutOff)
    },
  }
}
