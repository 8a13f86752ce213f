import { emptyPrefix, type Prefix } from './prefix.ts'
import type { PrefixMessage, PrefixRequest } from './prefix-worker.ts'

export interface ReadPrefixOptions {
  toBytes: number
  /** What was read of the file before. */
  known?: Prefix | undefined
  signal?: AbortSignal
  /** Called with every piece that was read. */
  onRead?: (prefix: Prefix) => void
}

/**
 * Reads the first bytes of a file, in a worker: there may be many gigabytes of them. Rejects where
 * the file cannot be read, and when it is told to stop.
 */
export function readPrefix(
  file: Blob,
  { toBytes, known = emptyPrefix, signal, onRead }: ReadPrefixOptions,
): Promise<Prefix> {
  const start = known.bytes <= toBytes ? known : emptyPrefix
  if (start.bytes === toBytes) return Promise.resolve(start)
  const worker = new Worker(new URL('./prefix-worker.ts', import.meta.url), { type: 'module' })
  const reading = new Promise<Prefix>((resolve, reject) => {
    const fail = () => reject(new Error('The file cannot be read'))
    worker.addEventListener('message', ({ data: prefix }: MessageEvent<PrefixMessage>) => {
      if (prefix === null) return fail()
      onRead?.(prefix)
      if (prefix.bytes === toBytes) resolve(prefix)
    })
    worker.addEventListener('error', fail)
    signal?.addEventListener('abort', fail)
  })
  const request: PrefixRequest = { file, known: start, toBytes }
  worker.postMessage(request, [])
  return reading.finally(() => worker.terminate())
}
