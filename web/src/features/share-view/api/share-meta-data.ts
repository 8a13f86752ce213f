import { shareMetaDataSchema } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

export async function fetchIsZipReady(http: HttpClient, shareId: string): Promise<boolean> {
  const { isZipReady } = await http.request({
    method: 'GET',
    path: `/api/shares/${encodeURIComponent(shareId)}/metaData`,
    answer: shareMetaDataSchema,
  })
  return isZipReady
}
