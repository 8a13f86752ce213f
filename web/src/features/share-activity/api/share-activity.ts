import { type Downloadable, type ShareActivity, shareActivitySchema } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/** `file` narrows the hours of downloads. Throws `share_not_found`, `forbidden`, `file_not_found`. */
export function fetchShareActivity(
  http: HttpClient,
  { shareId, file }: { shareId: string; file: Downloadable | null },
): Promise<ShareActivity> {
  const query = file === null ? '' : `?file=${file}`
  return http.request({
    method: 'GET',
    path: `/api/shares/${encodeURIComponent(shareId)}/receipts${query}`,
    response: shareActivitySchema,
  })
}
