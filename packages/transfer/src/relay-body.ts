import type { ServerResponse } from 'node:http'
import type { BodySink, Connection } from './client/connection.ts'
import type { BodyFraming } from './client/response-head.ts'
import type { TransferMemory } from './memory/transfer-memory.ts'
import { createReadRing } from './read-ring.ts'

export interface RelayBodyOptions {
  /** Its head must be set; ending it is left to the caller. */
  res: ServerResponse
  framing: BodyFraming
  memory: TransferMemory
  /** The connection that the body comes on. */
  connection: Pick<Connection, 'resume' | 'destroy'>
}

/**
 * Passes the body of a response from another server on to the client, each read as one write from
 * the memory it was read into. Reading stops while the client has not taken what was read before.
 * `close` once nothing comes any more.
 */
export function relayBody(options: RelayBodyOptions): BodySink & { close(): void } {
  const { res, framing, memory, connection } = options
  const { socket } = res.req
  const share = memory.join()
  const ring = createReadRing({
    memory,
    share,
    sizeBytes: framing.kind === 'length' ? framing.bytes : Infinity,
    onReady: () => connection.resume(),
    onEmpty: () => {
      socket.off('close', abandon)
      share.leave()
    },
  })
  let isWhole = false

  // Watched is the client's connection: a response hears nothing of its end while an earlier one on
  // the same connection is still being sent, and its writes are then never called back.
  function abandon(): void {
    if (!isWhole) connection.destroy()
    ring.abandon()
  }
  socket.once('close', abandon)

  return {
    target: ring.nextBuffer,
    fill(bytes) {
      res.write(bytes, ring.hold())
      return ring.isReady
    },
    take(bytes) {
      // What came with the head, a few kilobytes at most: its memory is read into again.
      res.write(Buffer.from(bytes))
      return true
    },
    close() {
      isWhole = true
      ring.close()
    },
  }
}
