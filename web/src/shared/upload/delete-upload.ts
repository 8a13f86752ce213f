import { TUS_VERSION } from '@floe/contracts'
import type { HttpClient } from '../api/http-client.ts'

/** Ends an upload. While its share is open, the file of a finished one goes with it. */
export function deleteUpload(http: HttpClient, url: string): Promise<void> {
  return http.request({
    method: 'DELETE',
    path: new URL(url, window.location.origin).pathname,
    headers: { 'Tus-Resumable': TUS_VERSION },
  })
}
