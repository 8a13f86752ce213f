import { queryOptions } from '@tanstack/react-query'
import type { RichText, RichTextRequest } from './to-rich-text.ts'

/** Whoever reads has the plain text by then. */
const PATIENCE_MS = 5_000

/**
 * Reads the text in a thread of its own: what a stranger wrote may take for ever, and that must not
 * be the page's time. Null where it does, and for what is better left plain.
 */
function makeRichText(request: RichTextRequest, signal: AbortSignal): Promise<RichText | null> {
  const worker = new Worker(new URL('./rich-text-worker.ts', import.meta.url), { type: 'module' })
  const ends = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
  const answer = new Promise<RichText | null>((resolve) => {
    const giveUp = () => resolve(null)
    worker.addEventListener('message', ({ data }: MessageEvent<RichText | null>) => resolve(data))
    worker.addEventListener('error', giveUp)
    worker.addEventListener('messageerror', giveUp)
    ends.addEventListener('abort', giveUp)
  })
  worker.postMessage(request, [])
  return answer.finally(() => worker.terminate())
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
