import type { HttpClient } from '../../../shared/api/http-client.ts'
import { apiPaths } from '../../../shared/paths.ts'

/** All bytes of a file. Throws `file_not_found`. */
export async function fetchFileContent(
  http: HttpClient,
  shareId: string,
  fileId: string,
): Promise<ArrayBuffer> {
  const path = `${apiPaths.file(shareId, fileId)}?download=false`
  const response = await http.requestRaw({ method: 'GET', path })
  return response.arrayBuffer()
}
