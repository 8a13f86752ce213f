import type { EmailStanding } from '@floe/contracts'
import type { Knex } from '@floe/db'
import type { Secrets } from '@floe/secrets'
import { openTotp } from '../domain/second-factors.ts'

/** An account with its ways in, for another installation. */
export interface ExportedAccount {
  id: string
  createdAt: Date
  username: string
  email: string
  /** Argon2id in PHC form. */
  passwordHash: string | null
  isAdmin: boolean
  /** Base32, of a second factor that is in use. */
  totpSecret: string | null
  identities: { provider: string; issuer: string; subject: string; username: string }[]
  /** Bytes; null leaves it to the setting. */
  storageLimitBytes: number | null
  /** Of one share. */
  shareSizeLimitBytes: number | null
  showsName: boolean
  emailStanding: EmailStanding
  /** Of the entry in the directory; null for a local account. */
  directoryId: string | null
}

interface AccountRow {
  id: string
  created_at: Date
  username: string
  email: string
  password_hash: string | null
  is_admin: boolean
  sealed_secret: Buffer | null
  storage_limit: number | null
  share_size_limit: number | null
  shows_name: boolean
  email_standing: EmailStanding
  directory_id: string | null
}

interface IdentityRow {
  user_id: string
  provider: string
  issuer: string
  subject: string
  username: string
}

/** All of them, oldest first. `problems` gets a line for what cannot be opened. */
export async function exportAccounts(
  knex: Knex,
  { secrets, problems }: { secrets: Secrets; problems: string[] },
): Promise<ExportedAccount[]> {
  const accounts = await knex('users')
    .leftJoin('credentials', 'credentials.user_id', 'users.id')
    .leftJoin('totp_secrets', (join) =>
      join.on('totp_secrets.user_id', 'users.id').andOnNotNull('totp_secrets.verified_at'),
    )
    .orderBy(['users.created_at', 'users.id'])
    .select<AccountRow[]>(
      ...['users.id', 'users.created_at', 'users.username', 'users.email', 'users.is_admin'],
      ...[
        'users.storage_limit',
        'users.share_size_limit',
        'users.shows_name',
        'users.email_standing',
        'users.directory_id',
      ],
      ...['credentials.password_hash', 'totp_secrets.sealed_secret'],
    )
  const identities = await knex<IdentityRow>('identities').orderBy(['user_id', 'provider'])
  const byUser = new Map<string, IdentityRow[]>()
  for (const identity of identities) {
    byUser.set(identity.user_id, [...(byUser.get(identity.user_id) ?? []), identity])
  }
  return accounts.map((row) => {
    const { id, username, sealed_secret: sealed } = row
    const totpSecret = sealed === null ? null : openTotp(secrets, id, sealed)
    if (sealed !== null && totpSecret === null) {
      problems.push(`account ${username}: its second factor was sealed with another key`)
    }
    return {
      id,
      createdAt: row.created_at,
      username,
      email: row.email,
      passwordHash: row.password_hash,
      isAdmin: row.is_admin,
      totpSecret,
      identities: (byUser.get(id) ?? []).map(toIdentity),
      storageLimitBytes: row.storage_limit,
      shareSizeLimitBytes: row.share_size_limit,
      showsName: row.shows_name,
      emailStanding: row.email_standing,
      directoryId: row.directory_id,
    }
  })
}

const toIdentity = ({ provider, issuer, subject, username }: IdentityRow) => ({
  provider,
  issuer,
  subject,
  username,
})
