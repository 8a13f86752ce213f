import { randomUUID } from 'node:crypto'
import type { AdminPort, Language, SignUpInput } from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { Passwords } from '@floe/secrets'
import type { Attempts } from './attempts.ts'
import type { Devices } from './devices.ts'
import { requireAllowedEmail } from './email-domains.ts'
import { owedProof } from './email-proofs.ts'
import type { UserStore } from './ports.ts'
import type { Sessions } from './sessions.ts'
import { requirePasswords, type SignedIn } from './sign-in.ts'
import type { Client, User } from './user.ts'

export interface SignUps {
  /**
   * Fails with registration_disabled, password_sign_in_disabled, email_domain_refused, username_taken, email_taken,
   * password_too_short, password_too_common, too_many_requests, and with account_waiting once there
   * is an account that an administrator has to approve.
   */
  signUp(
    input: SignUpInput,
    client: Client,
    language: Language | null,
  ): Promise<SignedIn & { user: User }>
}

export interface SignUpDependencies {
  users: UserStore
  sessions: Sessions
  passwords: Passwords
  devices: Devices
  attempts: Attempts
  admin: AdminPort
  clock: () => Date
}

export function createSignUps({
  users,
  sessions,
  passwords,
  devices,
  attempts,
  admin,
  clock,
}: SignUpDependencies): SignUps {
  return {
    async signUp({ username, email, password }, client, language) {
      await attempts.countSignUp(client.address)
      const settings = await admin.settings({})
      const { 'share.allowRegistration': isRegistrationOpen } = settings
      // Looked up ahead of hashing, so that closed registration costs an anonymous request nothing;
      // the store decides again under its lock.
      if (await users.hasUsers()) {
        await requirePasswords(admin)
        if (!isRegistrationOpen) throw new AppError('registration_disabled')
        requireAllowedEmail(settings, email)
      }
      const id = randomUUID()
      const passwordHash = await passwords.hashForAccount(password)
      const session = await sessions.prepare({ id, isWaiting: false }, client)
      const createdAt = clock()
      const user = await users.createAccount(
        { id, username, email, passwordHash, createdAt, session: session.row },
        {
          isRegistrationOpen,
          needsApproval: settings['general.requireApproval'],
          emailProof: owedProof(settings, language, createdAt),
        },
      )
      if (user.isWaiting) throw new AppError('account_waiting')
      return {
        user,
        tokens: await session.issueTokens(user),
        deviceToken: devices.issue(id, client.deviceToken),
      }
    },
  }
}
