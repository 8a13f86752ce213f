import { queryOptions } from '@tanstack/react-query'
import { readApiError } from '../../../shared/api/api-error.ts'

const LIMIT_BYTES = 512_000

/** The beginning of a text file. */
async function fetchFileText(
  address: string,
  signal: AbortSignal,
): Promise<{ text: string; isCut: boolean }> {
  const response = await fetch(address, {
    signal,
    headers: { Range: `bytes=0-${LIMIT_BYTES - 1}` },
  })
  // An empty file has no range to give.
  if (response.status === 416) return { text: '', isCut: false }
  if (!response.ok) throw await readApiError(response)
  const bytes = await response.arrayBuffer()
  const size = Number(/\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '')?.[1] ?? 0)
  return {
    text: new TextDecoder().decode(bytes.slice(0, LIMIT_BYTES)),
    isCut: Math.max(size, bytes.byteLength) > LIMIT_BYTES,
  }
}

export function fileTextQuery(address: string) {
  return queryOptions({
    queryKey: ['file-text', address],
    queryFn: ({ signal }) => fetchFileText(address, signal),
    gcTime: 0,
  })
}
