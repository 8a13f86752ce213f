import type { TokenScope } from '@floe/contracts'
import { type Database, type Knex, recordAuditEvents } from '@floe/db'
import type { ApiTokenStore, NewToken, TokenSummary } from '../domain/ports.ts'
import { lockUser, toUser, type UserRow } from './rows.ts'

interface TokenRow {
  id: string
  user_id: string
  name: string
  prefix: string
  token_hash: Buffer
  scopes: TokenScope[]
  networks: string[]
  max_share_bytes: number | null
  max_expiration: string | null
  created_at: Date
  expires_at: Date | null
  last_used_at: Date | null
  last_address: string | null
  last_user_agent: string | null
}

const MINUTE_MS = 60_000

export function createApiTokenStore({ knex, query }: Database): ApiTokenStore {
  return {
    insert: (token, most) => knex.transaction((trx) => insert(trx, token, most)),

    async find({ hash, now, clientAddress }) {
      const [row] = await query<FoundRow>({
        name: 'auth-find-api-token',
        text: findStatement,
        values: [hash, now, clientAddress],
      })
      if (!row) return null
      return {
        id: row.token_id,
        scopes: row.scopes,
        maxShareBytes: row.max_share_bytes,
        maxExpiration: row.max_expiration,
        createdAt: row.token_created_at,
        user: toUser(row),
      }
    },

    async noteUse({ id, at, address, userAgent }) {
      await query({
        name: 'auth-note-use-of-api-token',
        text: `update api_tokens set last_used_at = $2, last_address = $3, last_user_agent = $4
               where id = $1 and (last_used_at is null or last_used_at <= $5)`,
        values: [id, at, address, userAgent.slice(0, 500), new Date(at.getTime() - MINUTE_MS)],
      })
    },

    async list(userId) {
      const rows = await knex<TokenRow>('api_tokens')
        .where({ user_id: userId })
        .orderBy([{ column: 'created_at', order: 'desc' }, { column: 'id' }])
      return rows.map(toSummary)
    },

    revoke: ({ id, ownerId, actor }) =>
      knex.transaction(async (trx) => {
        const [row] = await trx<TokenRow>('api_tokens')
          .where({ id, ...(ownerId !== null && { user_id: ownerId }) })
          .delete(['id', 'name'])
        if (!row) return false
        const target = { type: 'token', id, name: row.name } as const
        await recordAuditEvents(trx, [{ action: 'token.revoked', actor, target }])
        return true
      }),
  }
}

async function insert(
  trx: Knex.Transaction,
  { userId, hash, auditEvent, ...token }: NewToken,
  most: number,
): Promise<boolean> {
  if (!(await lockUser(trx, userId))) return false
  const [counted] = await trx('api_tokens').where({ user_id: userId }).count<{ count: string }[]>()
  if (Number(counted?.count) >= most) return false
  await trx<TokenRow>('api_tokens').insert({
    id: token.id,
    user_id: userId,
    name: token.name,
    prefix: token.prefix,
    token_hash: hash,
    scopes: token.scopes,
    networks: token.networks,
    max_share_bytes: token.maxShareBytes,
    max_expiration: token.maxExpiration,
    created_at: token.createdAt,
    expires_at: token.expiresAt,
  })
  await recordAuditEvents(trx, [auditEvent])
  return true
}

type FoundRow = UserRow &
  Pick<TokenRow, 'scopes' | 'max_share_bytes' | 'max_expiration'> & {
    token_id: string
    token_created_at: Date
  }

const findStatement = `
  select api_tokens.id as token_id, api_tokens.created_at as token_created_at, api_tokens.scopes,
    api_tokens.max_share_bytes, api_tokens.max_expiration,
    users.id, users.username, users.email, users.is_admin,
    users.storage_limit, users.share_size_limit, users.shows_name, users.email_standing,
    users.sharing_exceptions, users.directory_id, users.is_waiting,
    credentials.user_id is not null as has_password,
    totp_secrets.verified_at is not null as totp_verified,
    exists (select from passkeys where user_id = users.id) as has_passkeys
  from api_tokens
  join users on users.id = api_tokens.user_id
  left join credentials on credentials.user_id = users.id
  left join totp_secrets on totp_secrets.user_id = users.id
  where api_tokens.token_hash = $1
    and (api_tokens.expires_at is null or api_tokens.expires_at > $2)
    and ($3::text is null or api_tokens.networks = '{}'
      or nullif($3, '')::inet <<= any (api_tokens.networks::inet[]))`

function toSummary(row: TokenRow): TokenSummary {
  const { last_used_at: at, last_address: address, last_user_agent: userAgent } = row
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    networks: row.networks,
    maxShareBytes: row.max_share_bytes,
    maxExpiration: row.max_expiration,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUse: at && { at, address: address ?? '', userAgent: userAgent ?? '' },
  }
}
