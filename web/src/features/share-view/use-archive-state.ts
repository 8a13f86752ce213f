import { useQuery } from '@tanstack/react-query'
import { useHttp } from '../../shared/api/http-context.ts'
import { fetchArchiveState } from '../../shared/api/share-meta-data.ts'
import { queryKeys } from '../../shared/query-keys.ts'

const ASK_AGAIN_MS = 2000

/** Whether archives of this share can be had, all of it or a part; nothing until it is known. */
export function useArchiveState(shareId: string) {
  const http = useHttp()
  const { data } = useQuery({
    queryKey: queryKeys.shareMetaData(shareId),
    queryFn: () => fetchArchiveState(http, shareId),
    refetchInterval: ({ state }) => (state.data?.isReady ? false : ASK_AGAIN_MS),
  })
  return data
}
