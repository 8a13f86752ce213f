import { isEmailDomainAllowed, type Settings } from '@floe/contracts'
import { AppError } from '@floe/errors'

/**
 * For addresses that people choose themselves: those that an administrator or a directory gives
 * them are the organisation's own choice. Fails with email_domain_refused.
 */
export function requireAllowedEmail(settings: Settings, email: string): void {
  if (!isEmailDomainAllowed(settings, email)) throw new AppError('email_domain_refused')
}
