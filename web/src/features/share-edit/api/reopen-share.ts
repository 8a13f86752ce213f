import type { HttpClient } from '../../../shared/api/http-client.ts'

/** Lets a completed share take files again; visitors see what it was until it is completed. */
export function reopenShare(http: HttpClient, shareId: string): Promise<void> {
  return http.request({
    method: 'DELETE',
    path: `/api/shares/${encodeURIComponent(shareId)}/complete`,
  })
}
