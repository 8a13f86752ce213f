import type { HttpClient } from '../../../shared/api/http-client.ts'

/** Throws what `updateAdminConfig` throws; nothing is finished then. */
export function finishSetup(
  http: HttpClient,
  changes: readonly { key: string; value: string | number | boolean }[],
): Promise<void> {
  return http.request({
    method: 'POST',
    path: '/api/configs/admin/finishSetup',
    body: { changes },
  })
}
