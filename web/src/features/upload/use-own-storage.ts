import type { StorageStatus } from '@floe/contracts'
import { useQuery } from '@tanstack/react-query'
import { useHttp } from '../../shared/api/http-context.ts'
import { queryKeys } from '../../shared/query-keys.ts'
import { useSession } from '../../shared/session/session.ts'
import { fetchOwnStorage } from './api/own-storage.ts'

/** The storage of the account; undefined for visitors, and until it is known. */
export function useOwnStorage(): StorageStatus | undefined {
  const http = useHttp()
  const { user } = useSession()
  const { data } = useQuery({
    queryKey: queryKeys.ownStorage,
    queryFn: () => fetchOwnStorage(http),
    enabled: user !== null,
    staleTime: 0,
  })
  return data
}
