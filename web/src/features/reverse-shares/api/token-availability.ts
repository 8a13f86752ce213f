import { reverseShareTokenAvailabilitySchema } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

export async function isTokenAvailable(
  http: HttpClient,
  token: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { isAvailable } = await http.request({
    method: 'GET',
    path: `/api/reverseShares/isReverseShareTokenAvailable/${encodeURIComponent(token)}`,
    response: reverseShareTokenAvailabilitySchema,
    signal,
  })
  return isAvailable
}
