import { randomUUID } from 'node:crypto'
import { type EmailStanding, type SocialProvider, socialProviders } from '@floe/contracts'
import type { Knex } from '@floe/db'
import type { Secrets } from '@floe/secrets'
import { hashOpaqueToken } from '../domain/opaque-token.ts'
import { sealTotp } from '../domain/second-factors.ts'
import { insertAccount, lockAccounts } from '../stores/account-rows.ts'
import { insertSession } from '../stores/session-rows.ts'

/** An account of an installation that is moved here, with its way in as it was. */
export interface ImportedAccount {
  id: string
  createdAt: Date
  username: string
  email: string
  /** Argon2id in PHC form. */
  passwordHash: string | null
  isAdmin: boolean
  /** Base32. */
  totpSecret: string | null
  identities: { provider: SocialProvider; issuer: string; subject: string; username: string }[]
  sessions: { refreshToken: string; createdAt: Date; expiresAt: Date }[]
  /** Bytes; null leaves it to the setting. */
  storageLimit: number | null
  showsName: boolean
  emailStanding: EmailStanding
  shareSizeLimit: number | null
  /** As `normaliseDirectoryId` returns it, and no other account's; null for a local account. */
  directoryId: string | null
}

/** Who has a name or an address that an account to come has too, in any case of its letters. */
export async function findAccounts(
  knex: Knex,
  names: readonly string[],
): Promise<{ id: string; username: string; email: string }[]> {
  const folded = names.map((name) => name.toLowerCase())
  return knex('users')
    .whereRaw('lower(username) = any(?) or lower(email) = any(?)', [folded, folded])
    .select<{ id: string; username: string; email: string }[]>('id', 'username', 'email')
}

/** Those of these ids that an account has. */
export async function findDirectoryIds(knex: Knex, ids: readonly string[]): Promise<string[]> {
  return knex('users').whereIn('directory_id', ids).pluck<string[]>('directory_id')
}

export function isImportableProvider(provider: string): provider is SocialProvider {
  return socialProviders.some((known) => known === provider)
}

interface ImportOptions {
  accounts: readonly ImportedAccount[]
  secrets: Secrets
  now: Date
}

/** Makes the accounts whose id is new, and leaves the others as they are. Returns the new ids. */
export async function importAccounts(
  trx: Knex.Transaction,
  { accounts, secrets, now }: ImportOptions,
): Promise<Set<string>> {
  await lockAccounts(trx)
  const ids = accounts.map(({ id }) => id)
  const known = await trx('users').whereIn('id', ids).pluck<string[]>('id')
  const fresh = accounts.filter(({ id }) => !known.includes(id))
  for (const account of fresh) {
    await insertAccount(trx, account)
    await importSecondFactor(trx, account, { secrets, now })
    await importIdentities(trx, account)
    for (const session of account.sessions) await importSession(trx, account, session, now)
  }
  return new Set(fresh.map(({ id }) => id))
}

async function importSecondFactor(
  trx: Knex.Transaction,
  { id, totpSecret }: ImportedAccount,
  { secrets, now }: { secrets: Secrets; now: Date },
): Promise<void> {
  if (totpSecret === null) return
  const sealed = sealTotp(secrets, id, totpSecret)
  await trx('totp_secrets').insert({ user_id: id, sealed_secret: sealed, verified_at: now })
}

async function importIdentities(
  trx: Knex.Transaction,
  { id, createdAt, identities }: ImportedAccount,
): Promise<void> {
  for (const identity of identities) {
    await trx('identities')
      .insert({ ...identity, user_id: id, created_at: createdAt })
      .onConflict()
      .ignore()
  }
}

async function importSession(
  trx: Knex.Transaction,
  { id: userId }: ImportedAccount,
  { refreshToken, createdAt, expiresAt }: ImportedAccount['sessions'][number],
  now: Date,
): Promise<void> {
  if (expiresAt <= now) return
  const session = {
    id: randomUUID(),
    userId,
    createdAt,
    expiresAt,
    client: { userAgent: '', address: '' },
    refreshTokenHash: hashOpaqueToken(refreshToken),
  }
  // When it was used there nobody recorded, and its duration counts from the last use.
  await insertSession(trx, session, now)
}
