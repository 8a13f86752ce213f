import { randomUUID } from 'node:crypto'
import type { AdminPort, UpdateOwnUserInput } from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { Attempts } from './attempts.ts'
import { assertLocal } from './directory.ts'
import { requireAllowedEmail } from './email-domains.ts'
import { EMAIL_LINK_TTL_MS } from './email-proofs.ts'
import type { OwnPasswords } from './own-password.ts'
import type { EmailChangeStore, UserChanges, UserStore } from './ports.ts'
import type { ActiveSession, User } from './user.ts'
import type { Cause } from './users.ts'

export interface OwnAccounts {
  /**
   * Another address takes the password (see `OwnPasswords.prove`), and where messages can be sent
   * it counts only once it was confirmed. Fails with username_taken, email_taken, forbidden (user
   * gone meanwhile), directory_account, and for an address also with email_domain_refused and as
   * `prove` does.
   */
  update(session: ActiveSession, input: UpdateOwnUserInput, by: Cause): Promise<User>
  /** The address that waits to be confirmed. */
  findPendingEmail(userId: string): Promise<string | null>
}

export interface OwnAccountDependencies {
  users: UserStore
  emailChanges: EmailChangeStore
  ownPasswords: OwnPasswords
  attempts: Attempts
  admin: AdminPort
  clock: () => Date
}

export function createOwnAccounts(dependencies: OwnAccountDependencies): OwnAccounts {
  const { users, emailChanges, ownPasswords, clock } = dependencies
  return {
    async update(session, input, by) {
      const { username, email, showName: showsName } = input
      const { id, email: present } = session.user
      const isRenaming = username !== undefined && username !== session.user.username
      const isMoving = email !== undefined && email.toLowerCase() !== present.toLowerCase()
      if (isRenaming || isMoving) assertLocal(session.user)
      const user = await (isMoving
        ? ownPasswords.prove(session, input, () =>
            move(dependencies, session.user, { username, email, showsName }, by),
          )
        : users.changeUser(id, { username, email, showsName, now: clock(), actor: by.actor }))
      if (!user) throw new AppError('forbidden')
      return user
    },

    findPendingEmail: (userId) => emailChanges.findPending(userId, clock()),
  }
}

async function move(
  { users, emailChanges, attempts, admin, clock }: OwnAccountDependencies,
  { id: userId, emailStanding }: User,
  { email, ...rest }: Pick<UserChanges, 'username' | 'showsName'> & { email: string },
  { actor, language }: Cause,
): Promise<User | null> {
  await attempts.countEmailChange(userId)
  const now = clock()
  const settings = await admin.settings({})
  requireAllowedEmail(settings, email)
  const { 'smtp.enabled': canConfirm } = settings
  if (!canConfirm) {
    const standing = emailStanding === 'owed' ? 'owed' : 'assumed'
    return users.changeUser(userId, { ...rest, email, emailStanding: standing, now, actor })
  }
  return emailChanges.request({
    id: randomUUID(),
    userId,
    newEmail: email,
    language,
    createdAt: now,
    expiresAt: new Date(now.getTime() + EMAIL_LINK_TTL_MS),
    ...rest,
    actor,
  })
}
