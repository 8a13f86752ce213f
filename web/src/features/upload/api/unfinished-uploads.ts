import { type UnfinishedUpload, unfinishedUploadSchema } from '@floe/contracts'
import { z } from 'zod'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/** Uploads of the account that another tab or browser left unfinished. */
export function fetchUnfinishedUploads(http: HttpClient): Promise<UnfinishedUpload[]> {
  return http.request({
    method: 'GET',
    path: '/api/uploads',
    response: z.array(unfinishedUploadSchema),
  })
}
