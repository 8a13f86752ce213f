import { type AuthPort, type Settings, type SharingRules, sharingRules } from '@floe/contracts'
import { AppError } from '@floe/errors'

/** Of what an owner is sent, the owner's rules decide who may see it. */
export async function rulesOfReceiver(
  auth: Pick<AuthPort, 'findUsers'>,
  settings: Settings,
  receiverId: string,
): Promise<SharingRules> {
  const [receiver] = await auth.findUsers({ ids: [receiverId] })
  return sharingRules(settings, receiver ?? null)
}

/** A share as it would be once visitors may open it. */
export interface FinalTerms {
  hasPassword: boolean
  hasEnd: boolean
  recipients: readonly string[]
}

/** Fails with share_needs_end, share_needs_password, share_needs_recipients. */
export function requireAllowed(rules: SharingRules, terms: FinalTerms): void {
  if (!rules.allowNeverExpires && !terms.hasEnd) throw new AppError('share_needs_end')
  if (rules.passwordRequired && !terms.hasPassword) throw new AppError('share_needs_password')
  if (rules.recipientsOnly && terms.recipients.length === 0) {
    throw new AppError('share_needs_recipients')
  }
}

/** Codes for recipients are sent by mail. Fails with smtp_disabled. */
export function requireRestrictable(settings: Settings): void {
  const isPossible = settings['smtp.enabled'] && settings['email.enableShareEmailRecipients']
  if (!isPossible) throw new AppError('smtp_disabled')
}
