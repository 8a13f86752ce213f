import type { Prefix } from '../prefix.ts'
import type { Digests, SealedBlock, Sealer, SealOrder } from './sealer.ts'

export type SealRequest =
  | { kind: 'block'; offset: number; mostBytes: number }
  | { kind: 'readOn'; toBytes: number }
  | { kind: 'finish' }

/** Encrypts and hashes in another thread, where the page is not held up. */
export interface Sealing {
  begin(order: SealOrder): Sealer & { end(): void }
  close(): void
}

/** Loads the thread at once: when the first file is to leave, the connection may be gone. */
export function createSealing(): Sealing {
  let thread = startThread()

  function begin(order: SealOrder) {
    if (thread.isBroken()) thread = startThread()
    const { worker, waiting } = thread
    const { port1: port, port2 } = new MessageChannel()
    worker.postMessage(order, [port2])
    let last: Promise<unknown> = Promise.resolve()

    /** Rejects where the file cannot be read, or the thread could not be loaded. */
    function ask<T>(request: SealRequest): Promise<T> {
      const respond = () =>
        new Promise<T>((resolve, reject) => {
          waiting.add(reject)
          port.onmessage = ({ data }: MessageEvent<T | null>) => {
            waiting.delete(reject)
            if (data === null) reject(new Error('The file cannot be read'))
            else resolve(data)
          }
          port.postMessage(request)
        })
      const response = last.then(respond)
      last = response.catch(() => undefined)
      return response
    }

    return {
      block: (offset: number, mostBytes: number) =>
        ask<SealedBlock>({ kind: 'block', offset, mostBytes }),
      readOn: (toBytes: number) => ask<Prefix>({ kind: 'readOn', toBytes }),
      finish: () => ask<Digests>({ kind: 'finish' }),
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
  return { worker, waiting, isBroken: () => isBroken }
}
