import { adminRoutes, type AuthPort } from '@floe/contracts'
import { implement, type ImplementedRoute, requestLanguage } from '@floe/http'
import type { Notices } from '../domain/notices.ts'
import type { Overviews } from '../domain/overviews.ts'
import type { Releases } from '../domain/releases.ts'
import { requireAdmin } from './request.ts'

export function createOverviewRoutes({
  overviews,
  releases,
  notices,
  auth,
}: {
  overviews: Overviews
  releases: Releases
  notices: Notices
  auth: AuthPort
}): ImplementedRoute[] {
  const admin = requireAdmin(auth)
  return [
    implement(adminRoutes.getOverview, admin, async ({ req }, actor) => {
      if (actor.id !== null) await notices.noteLanguage(actor.id, requestLanguage(req))
      return overviews.read()
    }),

    implement(adminRoutes.getLatestRelease, admin, async () => ({
      latest: await releases.latest(),
    })),

    implement(adminRoutes.retryJob, admin, async ({ params }, actor) => {
      await overviews.retryJob(params.jobId, actor)
    }),
  ]
}
