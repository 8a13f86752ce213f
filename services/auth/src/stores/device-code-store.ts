import type { TokenScope } from '@floe/contracts'
import type { Database, Knex } from '@floe/db'
import type { DeviceCodeStore, DevicePoll } from '../domain/device-code-port.ts'

interface DeviceCodeRow {
  id: string
  device_code_hash: Buffer
  user_code: string
  client_id: string
  client_name: string
  scopes: TokenScope[]
  address: string
  created_at: Date
  expires_at: Date
  interval_seconds: number
  polled_at: Date | null
  user_id: string | null
  is_approved: boolean | null
}

/** RFC 8628 §3.5 */
const SLOWER_SECONDS = 5

export function createDeviceCodeStore({ knex }: Database): DeviceCodeStore {
  const pending = (userCode: string, now: Date) =>
    knex<DeviceCodeRow>('device_codes')
      .where({ user_code: userCode })
      .whereNull('is_approved')
      .where('expires_at', '>', now)

  return {
    async insert(code) {
      await knex<DeviceCodeRow>('device_codes').insert({
        id: code.id,
        device_code_hash: code.hash,
        user_code: code.userCode,
        client_id: code.clientId,
        client_name: code.clientName,
        scopes: code.scopes,
        address: code.address,
        created_at: code.createdAt,
        expires_at: code.expiresAt,
        interval_seconds: code.intervalSeconds,
      })
    },

    async findPending(userCode, now) {
      const row = await pending(userCode, now).first()
      if (!row) return null
      const { client_name: clientName, scopes, address, created_at: createdAt } = row
      return { userCode, clientName, scopes, address, createdAt }
    },

    async decide({ userCode, userId, isApproved, now }) {
      const count = await pending(userCode, now).update({
        user_id: userId,
        is_approved: isApproved,
      })
      return count > 0
    },

    poll: (key) => knex.transaction((trx) => poll(trx, key)),

    async purge(expiredBefore) {
      await knex('device_codes').where('expires_at', '<', expiredBefore).delete()
    },
  }
}

async function poll(
  trx: Knex.Transaction,
  { hash, clientId, now }: { hash: Buffer; clientId: string; now: Date },
): Promise<DevicePoll> {
  const own = () => trx<DeviceCodeRow>('device_codes').where({ device_code_hash: hash })
  const row = await own().where({ client_id: clientId }).forUpdate().first()
  if (!row) return { state: 'invalid_grant' }
  if (row.expires_at <= now) return { state: 'expired_token' }
  if (row.is_approved === false) return { state: 'access_denied' }
  if (row.is_approved && row.user_id !== null) {
    await own().delete()
    const { user_id: userId, client_name: clientName, scopes } = row
    return { state: 'approved', userId, clientName, scopes }
  }
  const { polled_at: last, interval_seconds: interval } = row
  const isEarly = last !== null && now.getTime() - last.getTime() < interval * 1000
  await own().update({
    polled_at: now,
    interval_seconds: isEarly ? interval + SLOWER_SECONDS : interval,
  })
  return { state: isEarly ? 'slow_down' : 'authorization_pending' }
}
