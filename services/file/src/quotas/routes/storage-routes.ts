import type { Quotas, StorageUsage } from '../domain/quotas.ts'
import { type AuthPort, uploadRoutes } from '@floe/contracts'
import { implement, type ImplementedRoute } from '@floe/http'
import { requireAdmin, requireUser } from '../../request.ts'

export interface StorageRoutesDependencies {
  quotas: Pick<Quotas, 'statusOf'>
  usage: Pick<StorageUsage, 'ofUsers'>
  auth: Pick<AuthPort, 'identify'>
}

/** Who stores how much. */
export function createStorageRoutes({
  quotas,
  usage,
  auth,
}: StorageRoutesDependencies): ImplementedRoute[] {
  return [
    implement(uploadRoutes.getOwnStorage, requireUser(auth), (_call, { userId }) =>
      quotas.statusOf(userId),
    ),

    implement(uploadRoutes.listStorageUse, requireAdmin(auth), ({ query }) =>
      usage.ofUsers(query.ids),
    ),
  ]
}
