import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../shared/api/api-error.ts'

const RETRIES = 2

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        refetchOnWindowFocus: false,
        // A refusal stays a refusal; only a server that did not respond is asked again.
        retry: (failures, error) =>
          failures < RETRIES &&
          error instanceof ApiError &&
          (error.status === 0 || error.status >= 502),
      },
      // A change that is asked for while there is no connection fails at once and says so.
      mutations: { networkMode: 'always' },
    },
  })
}
