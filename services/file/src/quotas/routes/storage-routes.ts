import { uploadRoutes } from '@floe/contracts'
import { implement, type ImplementedRoute } from '@floe/http'
import type { FileServiceParts } from '../../parts.ts'
import { requireAdmin, requireUser } from '../../request.ts'

/** Who stores how much. */
export function createStorageRoutes({
  quotas,
  usage,
  ports,
}: Pick<FileServiceParts, 'quotas' | 'usage' | 'ports'>): ImplementedRoute[] {
  const { auth } = ports
  return [
    implement(uploadRoutes.getOwnStorage, requireUser(auth), (_call, { userId }) =>
      quotas.statusOf(userId),
    ),

    implement(uploadRoutes.listStorageUse, requireAdmin(auth), ({ query }) =>
      usage.ofUsers(query.ids),
    ),
  ]
}
