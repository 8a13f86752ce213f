import { directUploadRoutes, type SharePort } from '@floe/contracts'
import { implement, type ImplementedRoute } from '@floe/http'
import type { Response } from 'express'

/**
 * Deletes by the address of the page that asks whether to: what scripts keep, and what people open,
 * is one address. GET never deletes.
 */
export function createDeleteLinkRoutes({
  share,
}: {
  share: Pick<SharePort, 'deleteByLink'>
}): ImplementedRoute[] {
  // The secret is the permission, and it is looked at with the share.
  const isUpToSecret = ({ res }: { res: Response }) => {
    res.set('Cache-Control', 'no-store')
  }
  const remove = async ({ params }: { params: { id: string; secret: string } }) => {
    await share.deleteByLink({ shareId: params.id, secret: params.secret })
  }
  return [
    implement(directUploadRoutes.deleteByLink, isUpToSecret, remove),
    implement(directUploadRoutes.confirmDeleteByLink, isUpToSecret, remove),
  ]
}
