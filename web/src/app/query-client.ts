import { QueryClient } from '@tanstack/react-query'
import { ApiError, hasCode } from '../shared/api/api-error.ts'

const RETRIES = 2

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        refetchOnWindowFocus: false,
        // A refusal stays a refusal; only a server that did not respond is asked again. A scan takes longer.
        retry: (failures, error) =>
          failures < RETRIES &&
          error instanceof ApiError &&
          !hasCode(error, 'share_being_scanned') &&
          (error.status === 0 || error.status >= 502),
      },
      // A change that is asked for while there is no connection fails at once and says so.
      mutations: { networkMode: 'always' },
    },
  })
}
