import { queryOptions } from '@tanstack/react-query'
import type { RichText, RichTextRequest } from './to-rich-text.ts'

/** The reader has the plain text by then. */
const PATIENCE_MS = 5_000

/**
 * Reads the text in a worker: a text from outside may take for ever, and must not stop the page.
 * Null for a text that does, and for one that is better left plain.
 */
function makeRichText(request: RichTextRequest, signal: AbortSignal): Promise<RichText | null> {
  const worker = new Worker(new URL('./rich-text-worker.ts', import.meta.url), { type: 'module' })
  const ends = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
  const result = new Promise<RichText | null>((resolve) => {
    const giveUp = () => resolve(null)
    worker.addEventListener('message', ({ data }: MessageEvent<RichText | null>) => resolve(data))
    worker.addEventListener('error', giveUp)
    worker.addEventListener('messageerror', giveUp)
    ends.addEventListener('abort', giveUp)
  })
  worker.postMessage(request, [])
  return result.finally(() => worker.terminate())
}

export function richTextQuery(address: string, request: RichTextRequest | null) {
  return queryOptions({
    queryKey: ['rich-text', address, request?.text],
    queryFn: ({ signal }) => (request ? makeRichText(request, signal) : null),
    enabled: request !== null,
    gcTime: 0,
    staleTime: Infinity,
  })
}
