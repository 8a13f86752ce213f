import { uploadRoutes } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { accessToken, implement, type ImplementedRoute } from '@floe/http'
import type { Request } from 'express'
import type { FileServiceParts } from '../domain/parts.ts'

/** Who stores how much. */
export function createStorageRoutes({
  quotas,
  usage,
  ports,
}: Pick<FileServiceParts, 'quotas' | 'usage' | 'ports'>): ImplementedRoute[] {
  async function requireUser(req: Request) {
    const identity = await ports.auth.identify({ accessToken: accessToken(req) })
    if (!identity) throw new AppError('forbidden')
    return identity
  }

  return [
    implement(uploadRoutes.getOwnStorage, async ({ req }) => {
      const { userId } = await requireUser(req)
      return quotas.statusOf(userId)
    }),

    implement(uploadRoutes.listStorageUse, async ({ req, query }) => {
      const { isAdmin } = await requireUser(req)
      if (!isAdmin) throw new AppError('forbidden')
      return usage.ofUsers(query.ids)
    }),
  ]
}
