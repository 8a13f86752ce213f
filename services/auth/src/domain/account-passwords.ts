import type { AdminPort } from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { Passwords } from '@floe/secrets'

/**
 * Passwords of accounts are as long as the settings want, whatever else is wanted of them: people
 * choose longer ones better than ones with certain characters. What is too short fails with
 * password_too_short.
 */
export function createAccountPasswords({
  passwords,
  admin,
}: {
  passwords: Passwords
  admin: AdminPort
}): Passwords {
  return {
    ...passwords,
    async hashForAccount(password) {
      const { 'general.minPasswordLength': length } = await admin.settings({})
      if (password.length < length) {
        throw new AppError('password_too_short', { values: { length: String(length) } })
      }
      return passwords.hashForAccount(password)
    },
  }
}
