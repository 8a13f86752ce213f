import type { ShareFormValues } from '../../shared/share/draft-terms.ts'
import type { Terms } from '../../shared/upload/complete-share.ts'

/** What a draft is shared with. */
export function toTerms(values: ShareFormValues, expiration: string): Terms {
  const { id, name, description, password, maxViews, recipients } = values
  const restrictToRecipients = values.restrictToRecipients && recipients.length > 0
  return {
    id,
    recipients,
    expiration,
    ...(name !== '' && { name }),
    ...(description !== '' && { description }),
    ...(values.notifyOnDownload && { notifyOnDownload: true }),
    security: {
      ...(password !== '' && { password }),
      ...(maxViews !== '' && { maxViews }),
      ...(restrictToRecipients && { restrictToRecipients }),
    },
  }
}

/** What a draft is sent to somebody with: its receiver says how long it lasts and who opens it. */
export function toSentTerms({ id, name, description, senderName }: ShareFormValues): Terms {
  return {
    id,
    ...(name !== '' && { name }),
    ...(description !== '' && { description }),
    ...(senderName !== '' && { senderName }),
  }
}
