import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { OwnShare } from '@floe/contracts'
import type { HttpClient } from '../../shared/api/http-client.ts'
import { useHttp } from '../../shared/api/http-context.ts'
import { fetchOwnShare } from '../../shared/api/own-shares.ts'
import { queryKeys } from '../../shared/query-keys.ts'
import { useSession } from '../../shared/session/session.ts'
import { listLive } from '../../shared/upload/live-uploads.ts'
import { joinUnfinished, remoteOnly, withAnnounced } from '../../shared/upload/match-files.ts'
import { useUploadRegistry } from '../../shared/upload/use-registry.ts'
import { fetchUnfinishedUploads } from './api/unfinished-uploads.ts'

/** What this browser and the account's other browsers left unfinished, and no tab here is about. */
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
      const [live, local, remote] = await Promise.all([
        listLive(),
        registry.list(),
        // The server's list is an addition; what this browser knows must show without it.
        user ? fetchUnfinishedUploads(http).catch(() => []) : [],
      ])
      const abandoned = queryClient.getQueryData<readonly string[]>(queryKeys.abandonedUploads)
      const elsewhereBegun = await fetchShares(http, remoteOnly(local, remote))
      return joinUnfinished(local, remote)
        .filter(({ shareId }) => !abandoned?.includes(shareId) && !live.has(shareId))
        .map((upload) => {
          const elsewhere = elsewhereBegun.get(upload.shareId)
          const isLocked = elsewhere?.encrypted === true
          return { ...withAnnounced(upload, elsewhere?.coming?.files), isLocked }
        })
    },
  })
}

/** Those of them that are still there. */
async function fetchShares(
  http: HttpClient,
  shareIds: readonly string[],
): Promise<Map<string, OwnShare>> {
  const shares = await Promise.all(shareIds.map((id) => fetchOwnShare(http, id).catch(() => null)))
  return new Map(shares.flatMap((share) => (share ? [[share.id, share]] : [])))
}
