import type { OwnShare, ShareView, UpdateShareInput } from '@floe/contracts'

export interface EditValues {
  name: string
  description: string
  /** A new expiry in the words of the wire, or `null` to leave it. */
  expiration: string | null
  password: string
  removePassword: boolean
  maxViews: number | ''
  recipients: readonly string[]
  notifyOnDownload: boolean
}

/** What only the list of an account's own shares tells. */
export type OwnSettings = Pick<OwnShare, 'security' | 'recipients' | 'notifyOnDownload'>

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index])
}

/** Only what differs from the share, or `null` when nothing does. */
export function toUpdate(
  share: ShareView,
  own: OwnSettings | null,
  values: EditValues,
): UpdateShareInput | null {
  const maxViews = own?.security.maxViews || null
  const security = {
    ...(values.password !== '' && !values.removePassword && { password: values.password }),
    ...(values.removePassword && { removePassword: true }),
    ...((values.maxViews || null) !== maxViews && { maxViews: values.maxViews || null }),
  }
  const update: UpdateShareInput = {
    ...(values.name !== (share.name ?? '') && { name: values.name || null }),
    ...(values.description !== (share.description ?? '') && {
      description: values.description || null,
    }),
    ...(values.expiration !== null && { expiration: values.expiration }),
    ...(Object.keys(security).length > 0 && { security }),
    ...(own &&
      !isSameList(own.recipients, values.recipients) && { recipients: [...values.recipients] }),
    ...(own &&
      own.notifyOnDownload !== values.notifyOnDownload && {
        notifyOnDownload: values.notifyOnDownload,
      }),
  }
  return Object.keys(update).length > 0 ? update : null
}
