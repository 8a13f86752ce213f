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
  const admin = requireAdmin(auth)
  return [
    implement(adminRoutes.getOverview, admin, () => overviews.read()),

    implement(adminRoutes.getLatestRelease, admin, async () => ({
      latest: await releases.latest(),
    })),

    implement(adminRoutes.retryJob, admin, async ({ params }, actor) => {
      await overviews.retryJob(params.jobId, actor)
    }),
  ]
}
