import { z } from 'zod'
import type { Settings } from './config-catalogue.ts'

/**
 * What is known of an account's address. `owed`: its user signed up while a proof was required, and
 * has not given it. `assumed`: nobody asked for one. `verified`: its user opened a link sent there, or
 * an administrator or a provider of sign-ins vouches for it.
 */
export const emailStandingSchema = z.enum(['owed', 'assumed', 'verified'])
export type EmailStanding = z.infer<typeof emailStandingSchema>

/** Whether an account may not share yet. Without mail nobody could be sent a link. */
export function mustVerifyEmail(
  { isAdmin, emailStanding }: { isAdmin: boolean; emailStanding: EmailStanding },
  settings: Settings,
): boolean {
  const isRequired = settings['general.requireEmailVerification'] && settings['smtp.enabled']
  return isRequired && emailStanding === 'owed' && !isAdmin
}
