import { archiveSelectionSchema } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/** What these files are downloaded by as one archive. */
export async function selectFiles(
  http: Pick<HttpClient, 'request'>,
  shareId: string,
  files: readonly string[],
): Promise<string> {
  const { selection } = await http.request({
    method: 'POST',
    path: `/api/shares/${encodeURIComponent(shareId)}/files/selection`,
    body: { files },
    response: archiveSelectionSchema,
  })
  return selection
}
