import { shareMetaDataSchema } from '@floe/contracts'
import type { HttpClient } from './http-client.ts'

export interface ArchiveState {
  isReady: boolean
  /** From 0 to 1; `null` when there is nothing to tell. */
  progress: number | null
}

/** How far the archive of all files is. The request also has it made. */
export async function fetchArchiveState(http: HttpClient, shareId: string): Promise<ArchiveState> {
  const { isZipReady, progress } = await http.request({
    method: 'GET',
    path: `/api/shares/${encodeURIComponent(shareId)}/metaData`,
    response: shareMetaDataSchema,
  })
  return { isReady: isZipReady, progress: progress ?? null }
}
