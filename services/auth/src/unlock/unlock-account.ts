import { type Knex, recordAuditEvents } from '@floe/db'
import { onUser } from '../domain/audit-events.ts'
import { createOpaqueToken } from '../domain/opaque-token.ts'
import { lockUser, selectUsers, toUser } from '../stores/rows.ts'
import { insertToken } from '../stores/token-rows.ts'

const LINK_TTL_MS = 60 * 60 * 1000

export interface UnlockedAccount {
  username: string
  /** Of a link that sets a password, within an hour. */
  resetToken: string
}

/**
 * Lets somebody in again who has lost password, app, passkeys and recovery codes: second factors go, and
 * a link sets a password, which then ends all sessions. An account of the directory becomes a local one,
 * and one that waits for approval waits no longer.
 * `null` where no account has that name or address.
 */
export function unlockAccount(
  knex: Knex,
  { identifier, now }: { identifier: string; now: Date },
): Promise<UnlockedAccount | null> {
  return knex.transaction(async (trx) => {
    const column = identifier.includes('@') ? 'users.email' : 'users.username'
    const row = await selectUsers(trx)
      .whereRaw('lower(??) = lower(?)', [column, identifier])
      .first()
    if (!row) return null
    const user = toUser(row)
    await lockUser(trx, user.id)
    for (const table of ['totp_secrets', 'passkeys', 'recovery_codes']) {
      await trx(table).where({ user_id: user.id }).delete()
    }
    // The password that is chosen counts here from now on, also where the directory is gone for good.
    await trx('users').where({ id: user.id }).update({ directory_id: null, is_waiting: false })
    const { token, hash } = createOpaqueToken()
    const expiresAt = new Date(now.getTime() + LINK_TTL_MS)
    const link = { hash, userId: user.id, createdAt: now, expiresAt }
    await insertToken(trx, { ...link, purpose: 'password-reset' })
    // Somebody at the server itself, whom Floe does not know.
    const actor = { id: null, name: null, address: '', userAgent: '' }
    await recordAuditEvents(trx, [{ action: 'user.unlocked', actor, target: onUser(user) }])
    return { username: user.username, resetToken: token }
  })
}
