import { reverseShareTokenAvailabilitySchema } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

export async function isTokenAvailable(
  http: HttpClient,
  token: string,
  signal: AbortSignal,
): Promise<boolean> {
  const answer = await http.request({
    method: 'GET',
    path: `/api/reverseShares/isReverseShareTokenAvailable/${encodeURIComponent(token)}`,
    answer: reverseShareTokenAvailabilitySchema,
    signal,
  })
  return answer.isAvailable
}
