import type { CreateShareInput } from '@floe/contracts'

/** What the dialogs for a new share hold. */
export interface ShareFormValues {
  id: string
  name: string
  description: string
  password: string
  maxViews: number | ''
  /** Asked only of people without an account, and only by some reverse shares. */
  senderName: string
  recipients: string[]
  notifyOnDownload: boolean
}

/** What the reverse share says about the end of its shares counts; the field is required though. */
const ANY_EXPIRATION = '1-day'

/** `reverseShare` is the token of the link the share is sent through. */
export function toShareInput(
  values: ShareFormValues,
  target: { expiration: string } | { reverseShare: string },
): CreateShareInput {
  const { id, name, description, password, maxViews, senderName, recipients } = values
  return {
    id,
    recipients,
    ...('reverseShare' in target
      ? { reverseShare: target.reverseShare, expiration: ANY_EXPIRATION }
      : // A cookie that another tab has set must not carry this share off.
        { reverseShare: null, expiration: target.expiration }),
    ...(name !== '' && { name }),
    ...(description !== '' && { description }),
    ...(senderName !== '' && { senderName }),
    ...(values.notifyOnDownload && { notifyOnDownload: true }),
    security: {
      ...(password !== '' && { password }),
      ...(maxViews !== '' && { maxViews }),
    },
  }
}
