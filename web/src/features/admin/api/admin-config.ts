import { z } from 'zod'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/**
 * `value` is what was set, or `null` while the default is in effect. A secret has no value here;
 * `updatedAt` tells that one is set.
 */
const adminVariableSchema = z.object({
  key: z.string(),
  value: z.string().nullable(),
  defaultValue: z.string().nullable(),
  updatedAt: z.string().nullable(),
  /** False where the environment of the server says what it is. */
  allowEdit: z.boolean(),
})
export type AdminVariable = z.infer<typeof adminVariableSchema>

export function fetchAdminConfig(http: HttpClient, category: string): Promise<AdminVariable[]> {
  return http.request({
    method: 'GET',
    path: `/api/configs/admin/${encodeURIComponent(category)}`,
    response: z.array(adminVariableSchema),
  })
}

/** Throws `config_wrong_type`, `config_out_of_range`, `validation_failed`. */
export function updateAdminConfig(
  http: HttpClient,
  changes: readonly { key: string; value: string | number | boolean }[],
): Promise<void> {
  return http.request({ method: 'PATCH', path: '/api/configs/admin', body: changes })
}
