import { shareIdAvailabilitySchema } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

export async function isShareIdAvailable(
  http: HttpClient,
  shareId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { isAvailable } = await http.request({
    method: 'GET',
    path: `/api/shares/isShareIdAvailable/${encodeURIComponent(shareId)}`,
    response: shareIdAvailabilitySchema,
    signal,
  })
  return isAvailable
}
