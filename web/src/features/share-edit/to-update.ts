import type { ShareView, UpdateShareInput } from '@floe/contracts'

export interface EditValues {
  name: string
  description: string
  /** A new expiry in the words of the wire, or `null` to leave it. */
  expiration: string | null
  password: string
  removePassword: boolean
  maxViews: number | ''
}

/** Only what differs from the share, or `null` when nothing does. */
export function toUpdate(
  share: ShareView,
  maxViews: number | null,
  values: EditValues,
): UpdateShareInput | null {
  const security = {
    ...(values.password !== '' && !values.removePassword && { password: values.password }),
    ...(values.removePassword && { removePassword: true }),
    ...((values.maxViews || null) !== (maxViews || null) && { maxViews: values.maxViews || null }),
  }
  const update: UpdateShareInput = {
    ...(values.name !== (share.name ?? '') && { name: values.name || null }),
    ...(values.description !== (share.description ?? '') && {
      description: values.description || null,
    }),
    ...(values.expiration !== null && { expiration: values.expiration }),
    ...(Object.keys(security).length > 0 && { security }),
  }
  return Object.keys(update).length > 0 ? update : null
}
