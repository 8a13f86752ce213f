import type { Socket } from 'node:net'
import { receiveBody, type TransferMemory } from '@floe/transfer'
import type { Request } from 'express'

/** The body of a request on its way to the service. */
export interface RequestBody {
  start(): void
  /**
   * Takes no further bytes; what the client still sends is the caller's to read. Resolves once what
   * was taken before is handed to the operating system, or never will be.
   */
  stop(): Promise<void>
}

export interface RequestBodyOptions {
  req: Request
  /** To the service, behind the head. */
  socket: Socket
  isChunked: boolean
  memory: TransferMemory
  /** All of it was handed to the operating system. */
  onSent(): void
}

/**
 * Sends the chunks of one turn of the event loop on in a single `writev`; the client is paused while
 * more than its share of the memory waits for the service. Writing at the end of the turn also lets
 * an early refusal be read before a write can fail on it.
 */
export function createRequestBody(options: RequestBodyOptions): RequestBody {
  const { req, socket, isChunked, memory, onSent } = options
  const stopping = new AbortController()
  let sending = Promise.resolve()

  async function send(): Promise<void> {
    const share = memory.join()
    try {
      const end = await receiveBody(req, {
        // One batch gathers while another is written.
        batch: {
          get batchBytes() {
            return share.batchBytes / 2
          },
          release: share.release,
        },
        isPrompt: true,
        maxBytes: Infinity,
        signal: stopping.signal,
        onBatch: (chunks) => writeChunks(socket, chunks, isChunked),
      })
      if (end !== 'complete') return
      if (isChunked) socket.write('0\r\n\r\n', 'latin1')
      onSent()
    } finally {
      share.leave()
    }
  }

  return {
    // What fails here fails the connection, which tells it after it has read what the service said.
    start: () => {
      sending = send().catch(() => undefined)
    },
    stop: () => {
      stopping.abort()
      return sending
    },
  }
}

function writeChunks(socket: Socket, chunks: readonly Buffer[], isChunked: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const written = (error?: Error | null) => (error ? reject(error) : resolve())
    socket.cork()
    for (const [index, chunk] of chunks.entries()) {
      const isLast = index === chunks.length - 1
      if (isChunked) socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1')
      socket.write(chunk, isLast && !isChunked ? written : undefined)
      if (isChunked) socket.write('\r\n', 'latin1', isLast ? written : undefined)
    }
    socket.uncork()
  })
}
