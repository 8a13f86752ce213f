import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useHttp } from '../../shared/api/http-context.ts'
import { queryKeys } from '../../shared/query-keys.ts'
import { useSession } from '../../shared/session/session.ts'
import { joinUnfinished } from '../../shared/upload/match-files.ts'
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
      return joinUnfinished(local, remote).filter(({ shareId }) => !abandoned?.includes(shareId))
    },
  })
}
