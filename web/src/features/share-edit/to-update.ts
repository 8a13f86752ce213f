import type { OwnShare, ShareView, UpdateShareInput } from '@floe/contracts'

export interface EditValues {
  name: string
  description: string
  /** A new expiry as the API takes it, or `null` to leave it. */
  expiration: string | null
  password: string
  removePassword: boolean
  maxViews: number | ''
  recipients: readonly string[]
  restrictToRecipients: boolean
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
  const security = securityChanges(own?.security ?? null, values)
  const update: UpdateShareInput = {
    ...(values.name !== (share.name ?? '') && { name: values.name || null }),
    ...(values.description !== (share.description ?? '') && {
      description: values.description || null,
    }),
    ...(values.expiration !== null && { expiration: values.expiration }),
    ...(Object.keys(security).length > 0 && { security }),
    ...(own && notificationChanges(own, values)),
  }
  return Object.keys(update).length > 0 ? update : null
}

function securityChanges(old: OwnSettings['security'] | null, values: EditValues) {
  const { password, removePassword, restrictToRecipients } = values
  const maxViews = values.maxViews || null
  return {
    ...(password !== '' && !removePassword && { password }),
    ...(removePassword && { removePassword }),
    ...(maxViews !== (old?.maxViews || null) && { maxViews }),
    ...(old &&
      (old.restrictToRecipients ?? false) !== restrictToRecipients && {
        restrictToRecipients,
      }),
  }
}

/** Who hears of the share, and whether its owner hears of downloads. */
function notificationChanges(own: OwnSettings, { recipients, notifyOnDownload }: EditValues) {
  return {
    ...(!isSameList(own.recipients, recipients) && { recipients: [...recipients] }),
    ...(own.notifyOnDownload !== notifyOnDownload && { notifyOnDownload }),
  }
}
