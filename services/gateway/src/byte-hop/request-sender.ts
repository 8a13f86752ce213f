import type { Socket } from 'node:net'
import { type DirectBody, directBodyOf } from '@floe/wire'
import type { Request } from 'express'
import { createReadRing } from './read-ring.ts'
import type { TransferBudget } from './transfer-budget.ts'

/**
 * Sends a request's body on. What one turn of the event loop brings leaves in a single `writev`;
 * the client is paused while more than its share of the budget waits for the service. Writing at
 * the end of the turn also lets an early refusal be read before a write can fail on it.
 */
export interface RequestSender {
  start(): void
  /** Takes no further bytes; what the client still sends is the caller's to read. */
  stop(): void
}

export interface RequestSenderOptions {
  req: Request
  socket: Socket
  isChunked: boolean
  budget: TransferBudget
  onSent(): void
}

/** A body on its way. */
interface Passing {
  stop(): void
}

export function createRequestSender(options: RequestSenderOptions): RequestSender {
  const { req, socket, budget, onSent } = options
  let passing: Passing | null = null
  let isStopped = false
  let isCorked = false

  const outlet: Outlet = {
    write(bytes, written) {
      if (!isCorked) {
        isCorked = true
        socket.cork()
        setImmediate(flush)
      }
      socket.write(bytes, 'latin1', written)
    },
    end() {
      flush()
      stop()
      onSent()
    },
  }

  function flush(): void {
    if (!isCorked) return
    isCorked = false
    socket.uncork()
  }

  function stop(): void {
    isStopped = true
    if (passing) {
      passing.stop()
      budget.leave()
    }
    passing = null
    flush()
  }

  return {
    start() {
      if (isStopped || passing) return
      budget.enter()
      const direct = directBodyOf(req)
      const begun = direct
        ? passDirectly(direct, outlet, budget)
        : passStream(req, outlet, { isChunked: options.isChunked, budget })
      passing = begun
      // It may have been over at once.
      if (isStopped) stop()
    },
    stop,
  }
}

interface Outlet {
  write(bytes: Buffer | string, written?: () => void): void
  end(): void
}

/** The connection reads into a few buffers, which are written to the service as they are. */
function passDirectly(body: DirectBody, outlet: Outlet, budget: TransferBudget): Passing {
  const ring = createReadRing(budget, () => body.resume())
  let room: Buffer | null = null
  let remainingBytes = body.sizeBytes
  body.start({
    room: () => (room = ring.isReady ? ring.nextBuffer(remainingBytes) : null),
    placed(byteCount) {
      remainingBytes -= byteCount
      if (room) outlet.write(room.subarray(0, byteCount), ring.hold())
    },
    ended(end) {
      if (end === 'complete') outlet.end()
    },
  })
  return {
    stop() {
      body.stop()
      ring.close()
    },
  }
}

function passStream(
  req: Request,
  outlet: Outlet,
  { isChunked, budget }: Pick<RequestSenderOptions, 'isChunked' | 'budget'>,
): Passing {
  let waitingBytes = 0
  let isPassing = true

  function send(chunk: Buffer): void {
    waitingBytes += chunk.length
    if (isChunked) outlet.write(`${chunk.length.toString(16)}\r\n`)
    outlet.write(chunk, () => written(chunk.length))
    if (isChunked) outlet.write('\r\n')
    if (waitingBytes >= budget.uploadWindowBytes()) req.pause()
  }

  function written(bytes: number): void {
    waitingBytes -= bytes
    if (isPassing && req.isPaused() && waitingBytes <= budget.uploadWindowBytes() / 2) req.resume()
  }

  function finish(): void {
    if (isChunked) outlet.write('0\r\n\r\n')
    outlet.end()
  }

  req.on('data', send)
  req.on('end', finish)
  return {
    stop() {
      isPassing = false
      req.off('data', send)
      req.off('end', finish)
    },
  }
}
