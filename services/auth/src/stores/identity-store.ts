import { randomUUID } from 'node:crypto'
import { type SocialProvider, socialProviders } from '@floe/contracts'
import { type Database, type Knex, recordAuditEvents } from '@floe/db'
import { ownAuditEvent } from '../domain/audit-events.ts'
import {
  type IdentityStore,
  type NewSocialUser,
  SocialError,
  type SocialIdentity,
  type SocialSignUpRules,
  type Unlinking,
} from '../domain/social-ports.ts'
import { withRandomSuffix } from '../domain/social-usernames.ts'
import type { User } from '../domain/user.ts'
import { hasUsers, insertAccount, isTaken, lockAccounts } from './account-rows.ts'
import { lockUser, selectUsers, toUser, type UserRow } from './rows.ts'
import { recordEmailProof } from './token-rows.ts'

const MAX_TRIES = 5

export function createIdentityStore({ knex }: Database): IdentityStore {
  return {
    findUser: (identity) => findUser(knex, identity),

    async listLinks(userId) {
      const rows = await knex('identities')
        .where({ user_id: userId })
        .select<{ provider: SocialProvider; username: string }[]>('provider', 'username')
      return rows
        .map(({ provider, username }) => ({ provider, providerUsername: username }))
        .sort((a, b) => order(a.provider) - order(b.provider))
    },

    async link(userId, identity, { now, auditEvent }) {
      return knex.transaction(async (trx) => {
        if (!(await lockUser(trx, userId))) return false
        const inserted = await trx('identities')
          .insert(toRow(userId, identity, now))
          .onConflict()
          .ignore()
          .returning('user_id')
        if (inserted.length === 1) await recordAuditEvents(trx, [auditEvent])
        return inserted.length === 1
      })
    },

    async createUser(account, options) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await knex.transaction((trx) => createUser(trx, account, options))
        } catch (error) {
          // A name, an address or the identity was taken meanwhile: look again.
          if (!isDuplicate(error) || tries === MAX_TRIES) throw error
        }
      }
    },

    unlink: (userId, provider, options) =>
      knex.transaction((trx) => unlink(trx, userId, provider, options)),
  }
}

function order(provider: SocialProvider): number {
  return socialProviders.indexOf(provider)
}

function toRow(userId: string, identity: SocialIdentity, createdAt: Date) {
  const { provider, issuer, subject, username } = identity
  return { user_id: userId, provider, issuer, subject, username, created_at: createdAt }
}

async function findUser(
  knex: Knex,
  { provider, issuer, subject }: SocialIdentity,
): Promise<User | null> {
  const row = await selectUsers(knex)
    .join('identities', 'identities.user_id', 'users.id')
    .where({ provider, issuer, subject })
    .first<UserRow | undefined>()
  return row ? toUser(row) : null
}

async function createUser(
  trx: Knex.Transaction,
  { identity, username, email, createdAt, origin, isEmailVerified, emailProof }: NewSocialUser,
  { isRegistrationOpen, isEmailAllowed, needsApproval }: SocialSignUpRules,
): Promise<User> {
  await lockAccounts(trx)
  const existing = await findUser(trx, identity)
  if (existing) return existing
  const isFirst = !(await hasUsers(trx))
  if (!isFirst && !isRegistrationOpen) throw new SocialError('no_user')
  if (email === null) throw new SocialError('no_email')
  if (!isFirst && !isEmailAllowed) throw new SocialError('email_domain_refused')
  if (await isTaken(trx, 'email', email)) throw new SocialError('email_already_exists')
  const isVerified = isFirst || isEmailVerified
  const user = await insertAccount(trx, {
    id: randomUUID(),
    username: await findFreeUsername(trx, username),
    email,
    isAdmin: isFirst,
    passwordHash: null,
    createdAt,
    isWaiting: needsApproval && !isFirst,
    emailStanding: isVerified ? 'verified' : emailProof === null ? 'assumed' : 'owed',
  })
  if (user.emailStanding === 'owed' && emailProof) await recordEmailProof(trx, user, emailProof)
  await trx('identities').insert(toRow(user.id, identity, createdAt))
  await recordAuditEvents(trx, [
    ownAuditEvent('user.registered', user, origin, { by: identity.provider }),
  ])
  return user
}

async function findFreeUsername(trx: Knex.Transaction, wanted: string): Promise<string> {
  let username = wanted
  while (await isTaken(trx, 'username', username)) username = withRandomSuffix(wanted)
  return username
}

async function unlink(
  trx: Knex.Transaction,
  userId: string,
  provider: SocialProvider,
  { otherWaysIn, isConfirmed, auditEvent }: Parameters<IdentityStore['unlink']>[2],
): Promise<Unlinking> {
  // One at a time: each of two requests could leave the way in that the other one takes away.
  await lockUser(trx, userId)
  const user = await selectUsers(trx).where('users.id', userId).first<UserRow | undefined>()
  const linked = await trx('identities')
    .where({ user_id: userId })
    .select<{ provider: SocialProvider }[]>('provider')
  if (!user || !linked.some((one) => one.provider === provider)) return 'not-linked'
  const hasOtherWay = user.has_password || linked.some((one) => otherWaysIn.includes(one.provider))
  if (!hasOtherWay && !isConfirmed) return 'last-way-in'
  await trx('identities').where({ user_id: userId, provider }).delete()
  await recordAuditEvents(trx, [auditEvent])
  return 'unlinked'
}

function isDuplicate(error: unknown): boolean {
  return (error as { code?: unknown }).code === '23505'
}
