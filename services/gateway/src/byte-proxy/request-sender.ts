import type { Socket } from 'node:net'
import type { Request } from 'express'
import type { TransferBudget } from './transfer-budget.ts'

/**
 * Sends a request's body on. The chunks of one turn of the event loop leave in a single `writev`;
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

export function createRequestSender({
  req,
  socket,
  isChunked,
  budget,
  onSent,
}: RequestSenderOptions): RequestSender {
  let waitingBytes = 0
  let isCorked = false
  let state: 'new' | 'sending' | 'stopped' = 'new'

  function cork(): void {
    if (isCorked) return
    isCorked = true
    socket.cork()
    setImmediate(flush)
  }

  function flush(): void {
    if (!isCorked) return
    isCorked = false
    socket.uncork()
  }

  function send(chunk: Buffer): void {
    cork()
    waitingBytes += chunk.length
    if (isChunked) socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1')
    socket.write(chunk, () => written(chunk.length))
    if (isChunked) socket.write('\r\n', 'latin1')
    if (waitingBytes >= budget.uploadWindowBytes()) req.pause()
  }

  function written(bytes: number): void {
    waitingBytes -= bytes
    if (state === 'sending' && req.isPaused() && waitingBytes <= budget.uploadWindowBytes() / 2) {
      req.resume()
    }
  }

  function finish(): void {
    if (isChunked) {
      cork()
      socket.write('0\r\n\r\n', 'latin1')
    }
    flush()
    stop()
    onSent()
  }

  function stop(): void {
    if (state === 'sending') {
      budget.leave()
      req.off('data', send)
      req.off('end', finish)
    }
    state = 'stopped'
    flush()
  }

  return {
    start() {
      if (state !== 'new') return
      state = 'sending'
      budget.enter()
      req.on('data', send)
      req.on('end', finish)
    },
    stop,
  }
}
