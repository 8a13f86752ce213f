import { type Release, releaseSchema } from '@floe/contracts'
import { z } from 'zod'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/** Null while it is unknown, or nobody is asked. */
export async function fetchLatestRelease(http: HttpClient): Promise<Release | null> {
  const { latest } = await http.request({
    method: 'GET',
    path: '/api/admin/release',
    response: z.object({ latest: releaseSchema.nullable() }),
  })
  return latest
}
