import { type Overview, overviewSchema } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

export function fetchOverview(http: HttpClient): Promise<Overview> {
  return http.request({ method: 'GET', path: '/api/admin/overview', response: overviewSchema })
}

/** Throws `job_not_found`, `job_not_failed`. */
export function retryJob(http: HttpClient, id: string): Promise<void> {
  return http.request({ method: 'POST', path: `/api/admin/jobs/${encodeURIComponent(id)}/retry` })
}
