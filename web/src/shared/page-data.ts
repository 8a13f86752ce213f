import type { QueryClient } from '@tanstack/react-query'
import type { HttpClient } from './api/http-client.ts'

/** What a page is given to fetch what it shows first, ahead of its being drawn. */
export interface PageDataSource {
  path: string
  http: HttpClient
  queryClient: QueryClient
}
