import type { Prefix } from '../prefix.ts'
import {
  type FollowOptions,
  followPiece,
  type PieceRequest,
  type PieceResponse,
} from './piece-request.ts'
import type { Digests, Sealed, SealedWhole, SealOrder } from './sealer.ts'

export type SealRequest =
  | { kind: 'piece'; offset: number; mostBytes: number }
  | { kind: 'whole' }
  | { kind: 'readOn'; toBytes: number }
  | { kind: 'finish' }

export interface SendMessage {
  kind: 'send'
  request: PieceRequest
}

export type SealMessage = SealRequest | SendMessage

/** What is told of a piece, and of the block that it is of. */
export interface SealedPiece extends Sealed {
  /** In bytes. */
  size: number
  /** Of a whole block, as `Upload-Checksum` has it. */
  checksum: string | null
  /** Where the block ends. */
  end: number
}

/** One file, in the other thread. All but `send` rejects where the file cannot be read. */
export interface SealedSource {
  /** The ciphertext from there on. */
  piece(offset: number, mostBytes: number): Promise<SealedPiece>
  /** All of it, for a file that is small. */
  whole(): Promise<SealedWhole>
  /** Sends the piece that was asked for last; rejects where no response comes. */
  send(request: PieceRequest, options: FollowOptions): Promise<PieceResponse>
  /** Reads on in the text for its digests, a piece of it at most; how far it is then. */
  readOn(toBytes: number): Promise<Prefix>
  /** Of all of it, of which the rest is read. */
  finish(): Promise<Digests>
  end(): void
}

/** Encrypts and hashes in another thread, where the page is not held up. */
export interface Sealing {
  begin(order: SealOrder): SealedSource
  close(): void
}

/** Loads the thread at once: when the first file is to leave, the connection may be gone. */
export function createSealing(): Sealing {
  let thread = startThread()

  function begin(order: SealOrder): SealedSource {
    if (thread.isBroken()) thread = startThread()
    const { worker, orFailure } = thread
    const { port1: port, port2 } = new MessageChannel()
    worker.postMessage(order, [port2])
    let last: Promise<unknown> = Promise.resolve()

    function ask<T>(request: SealRequest): Promise<T> {
      const respond = () =>
        new Promise<T>((resolve, reject) => {
          port.onmessage = ({ data }: MessageEvent<T | null>) => {
            if (data === null) reject(new Error('The file cannot be read'))
            else resolve(data)
          }
          port.postMessage(request)
        })
      const response = last.then(() => orFailure(respond()))
      last = response.catch(() => undefined)
      return response
    }

    return {
      piece: (offset, mostBytes) => ask({ kind: 'piece', offset, mostBytes }),
      whole: () => ask({ kind: 'whole' }),
      send(request, options) {
        const { port1: events, port2: toThread } = new MessageChannel()
        port.postMessage({ kind: 'send', request } satisfies SealMessage, [toThread])
        return orFailure(followPiece(events, options))
      },
      readOn: (toBytes) => ask({ kind: 'readOn', toBytes }),
      finish: () => ask({ kind: 'finish' }),
      end: () => port.close(),
    }
  }

  return { begin, close: () => thread.worker.terminate() }
}

function startThread() {
  const worker = new Worker(new URL('./sealing-worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Set<(reason: Error) => void>()
  let isBroken = false
  worker.addEventListener('error', () => {
    isBroken = true
    for (const reject of waiting) reject(new Error('The thread that encrypts was not loaded'))
  })
  return {
    worker,
    isBroken: () => isBroken,
    /** What the thread is asked for, or that it could not be loaded. */
    orFailure<T>(response: Promise<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        waiting.add(reject)
        response.then(resolve, reject).finally(() => waiting.delete(reject))
      })
    },
  }
}
