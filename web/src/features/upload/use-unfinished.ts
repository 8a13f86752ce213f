import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ComingFile } from '@floe/contracts'
import type { HttpClient } from '../../shared/api/http-client.ts'
import { useHttp } from '../../shared/api/http-context.ts'
import { fetchOwnShare } from '../../shared/api/own-shares.ts'
import { queryKeys } from '../../shared/query-keys.ts'
import { useSession } from '../../shared/session/session.ts'
import { joinUnfinished, remoteOnly, withAnnounced } from '../../shared/upload/match-files.ts'
import { useUploadRegistry } from '../../shared/upload/use-registry.ts'
import { fetchUnfinishedUploads } from './api/unfinished-uploads.ts'

/** What this browser and the account's other browsers left unfinished. */
export function useUnfinishedUploads({ enabled }: { enabled: boolean }) {
  const http = useHttp()
  const { user } = useSession()
  const registry = useUploadRegistry()
  const queryClient = useQueryClient()
  return useQuery({
    queryKey: queryKeys.unfinishedUploads,
    enabled,
    staleTime: 0,
    queryFn: async () => {
      const [local, remote] = await Promise.all([
        registry.list(),
        // The server's list is an addition; what this browser knows must show without it.
        user ? fetchUnfinishedUploads(http).catch(() => []) : [],
      ])
      const abandoned = queryClient.getQueryData<readonly string[]>(queryKeys.abandonedUploads)
      const announced = await fetchAnnounced(http, remoteOnly(local, remote))
      return joinUnfinished(local, remote)
        .filter(({ shareId }) => !abandoned?.includes(shareId))
        .map((upload) => withAnnounced(upload, announced.get(upload.shareId)))
    },
  })
}

/** What is to come of those shares that are open already. */
async function fetchAnnounced(
  http: HttpClient,
  shareIds: readonly string[],
): Promise<Map<string, ComingFile[]>> {
  const shares = await Promise.all(shareIds.map((id) => fetchOwnShare(http, id).catch(() => null)))
  return new Map(shares.flatMap((share) => (share?.coming ? [[share.id, share.coming.files]] : [])))
}
