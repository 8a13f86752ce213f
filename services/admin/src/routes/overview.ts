import { adminRoutes, type AuthPort } from '@floe/contracts'
import { implement, type ImplementedRoute } from '@floe/http'
import type { Overviews } from '../domain/overviews.ts'
import type { Releases } from '../domain/releases.ts'
import { requireAdmin } from './request.ts'

export function createOverviewRoutes({
  overviews,
  releases,
  auth,
}: {
  overviews: Overviews
  releases: Releases
  auth: AuthPort
}): ImplementedRoute[] {
  return [
    implement(adminRoutes.getOverview, async ({ req, res }) => {
      await requireAdmin(auth, req)
      res.set('Cache-Control', 'no-store')
      return overviews.read()
    }),

    implement(adminRoutes.getLatestRelease, async ({ req }) => {
      await requireAdmin(auth, req)
      return { latest: await releases.latest() }
    }),

    implement(adminRoutes.retryJob, async ({ req, params }) => {
      const actor = await requireAdmin(auth, req)
      await overviews.retryJob(params.jobId, actor)
    }),
  ]
}
