import { type StorageStatus, storageStatusSchema } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/** What the account stores and may still send. */
export function fetchOwnStorage(http: HttpClient): Promise<StorageStatus> {
  return http.request({
    method: 'GET',
    path: '/api/users/me/storage',
    response: storageStatusSchema,
  })
}
