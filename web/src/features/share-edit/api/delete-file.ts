import { hasCode } from '../../../shared/api/api-error.ts'
import type { HttpClient } from '../../../shared/api/http-client.ts'
import { apiPaths } from '../../../shared/paths.ts'

/** Also content when the file is gone already, so that a second try gets past the first one. */
export async function deleteFile(http: HttpClient, shareId: string, fileId: string): Promise<void> {
  try {
    await http.request({ method: 'DELETE', path: apiPaths.file(shareId, fileId) })
  } catch (error) {
    if (!hasCode(error, 'file_not_found')) throw error
  }
}
