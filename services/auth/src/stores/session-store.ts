import type { AuditEvent } from '@floe/contracts'
import { createJoinedReads, type Database, type Knex, recordAuditEvents } from '@floe/db'
import { unknownActor } from '../domain/audit-events.ts'
import type { PasswordChange, Rotation, SessionStore, SessionSummary } from '../domain/ports.ts'
import type { SessionOrigin } from '../domain/user.ts'
import { createProviderSessionStore } from './provider-session-store.ts'
import { lockUser, selectUsers, toUser, type UserRow } from './rows.ts'
import {
  insertRefreshToken,
  insertSession,
  isStillEntitled,
  revokeSessions,
} from './session-rows.ts'
import { endEmailChange, endTokens } from './token-rows.ts'

interface SessionRow {
  last_used_at: Date
  user_id: string
  created_at: Date
  expires_at: Date
  revoked_at: Date | null
}

interface SessionSummaryRow {
  id: string
  user_agent: string
  client_address: string
  created_at: Date
  last_used_at: Date
}

export function createSessionStore(database: Database): SessionStore {
  const { knex } = database
  const readSession = createJoinedReads((key: SessionKey) => readActiveSession(database, key))
  return {
    startSession: (session, entitlement, auditEvent) =>
      knex.transaction(async (trx) => {
        const isEntitled = await isStillEntitled(trx, session.userId, entitlement)
        if (isEntitled) {
          await insertSession(trx, session)
          await recordAuditEvents(trx, [auditEvent])
        }
        return isEntitled
      }),

    ...createProviderSessionStore(database),

    findActiveSession: async (key) => {
      const { sessionId, userId } = key
      const [row] = await readSession(`${sessionId} ${userId}`, key)
      if (!row) return null
      return { sessionId, startedAt: row.started_at, user: toUser(row), tokenCaps: null }
    },

    listSessions: (userId, now) => listSessions(knex, userId, now),

    async findDirectoryUserOfToken(tokenHash, now) {
      const row = await selectUsers(knex)
        .join('sessions', 'sessions.user_id', 'users.id')
        .join('refresh_tokens', 'refresh_tokens.session_id', 'sessions.id')
        .where({ 'refresh_tokens.token_hash': tokenHash, 'sessions.revoked_at': null })
        .where('sessions.expires_at', '>', now)
        .whereNotNull('users.directory_id')
        .first<UserRow | undefined>()
      return row ? toUser(row) : null
    },

    rotateRefreshToken: (rotation) => knex.transaction((trx) => rotateRefreshToken(trx, rotation)),

    changePassword: (change) => knex.transaction((trx) => changePassword(trx, change)),

    async revokeSession(sessionId, now) {
      await revokeSessions(knex, now).where({ id: sessionId })
    },

    revokeOwnSession: ({ sessionId, userId, now, auditEvent }) =>
      knex.transaction(async (trx) => {
        const ended = await revokeSessions(trx, now)
          .where({ id: sessionId, user_id: userId })
          .where('expires_at', '>', now)
        if (ended === 1) await recordAuditEvents(trx, [auditEvent])
        return ended === 1
      }),

    revokeSessionsOf: (userId, { now, auditEvent }) =>
      knex.transaction(async (trx) => {
        await endTokens(trx, { userId, purposes: ['login'], now })
        await revokeSessions(trx, now).where({ user_id: userId })
        await recordAuditEvents(trx, [auditEvent])
      }),

    async revokeSessionOfToken(tokenHash, now) {
      await revokeSessions(knex, now).whereIn(
        'id',
        knex('refresh_tokens').where({ token_hash: tokenHash }).select('session_id'),
      )
    },

    async purge({ endedBefore, replacedBefore }) {
      const ended = knex('sessions')
        .where('expires_at', '<', endedBefore)
        .orWhere('revoked_at', '<', endedBefore)
        .forUpdate()
        .skipLocked()
        .select('id')
      await knex('sessions').whereIn('id', ended).delete()
      await knex('refresh_tokens').where('replaced_at', '<', replacedBefore).delete()
    },
  }
}

// Every request of a signed-in user asks this: one prepared statement, once for many.
const activeSessionQuery = `
  select sessions.created_at as started_at, users.id, users.username, users.email, users.is_admin,
    users.storage_limit, users.share_size_limit, users.shows_name, users.email_standing,
    users.sharing_exceptions, users.directory_id, users.is_waiting,
    credentials.user_id is not null as has_password,
    totp_secrets.verified_at is not null as totp_verified,
    exists (select from passkeys where user_id = users.id) as has_passkeys
  from sessions
  join users on users.id = sessions.user_id
  left join credentials on credentials.user_id = users.id
  left join totp_secrets on totp_secrets.user_id = users.id
  where sessions.id = $1 and sessions.user_id = $2
    and sessions.revoked_at is null and sessions.expires_at > $3`

interface SessionKey {
  sessionId: string
  userId: string
  now: Date
}

function readActiveSession({ query }: Database, { sessionId, userId, now }: SessionKey) {
  return query<UserRow & { started_at: Date }>({
    name: 'auth-active-session',
    text: activeSessionQuery,
    values: [sessionId, userId, now],
  })
}

async function listSessions(knex: Knex, userId: string, now: Date): Promise<SessionSummary[]> {
  const rows = await knex('sessions')
    .where({ user_id: userId })
    .whereNull('revoked_at')
    .where('expires_at', '>', now)
    .orderBy([
      { column: 'last_used_at', order: 'desc' },
      { column: 'created_at', order: 'desc' },
      { column: 'id' },
    ])
    .select<SessionSummaryRow[]>('id', 'user_agent', 'client_address', 'created_at', 'last_used_at')
  return rows.map((row) => ({
    id: row.id,
    userAgent: row.user_agent,
    clientAddress: row.client_address,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }))
}

async function rotateRefreshToken(
  trx: Knex.Transaction,
  {
    tokenHash,
    nextTokenHash,
    now,
    unusedMs,
    longestMs,
    judge,
    origin,
  }: Parameters<SessionStore['rotateRefreshToken']>[0],
): Promise<Rotation> {
  const sessionId = await lockSessionOf(trx, tokenHash)
  if (sessionId === null) return { outcome: 'refused' }
  // Read again under the lock: a password change or another tab may have come first.
  const token = await trx('refresh_tokens')
    .where({ token_hash: tokenHash })
    .first<{ replaced_at: Date | null } | undefined>('replaced_at')
  const replacedSuccessor = await trx('refresh_tokens')
    .where({ session_id: sessionId, parent_hash: tokenHash })
    .whereNotNull('replaced_at')
    .first('token_hash')
  const session = await trx('sessions')
    .where({ id: sessionId })
    .first<SessionRow | undefined>(
      ...(['user_id', 'created_at', 'expires_at', 'last_used_at', 'revoked_at'] as const),
    )
  if (!token || !session) return { outcome: 'refused' }

  const longest = session.created_at.getTime() + longestMs
  const verdict = judge(
    {
      replacedAt: token.replaced_at,
      hasReplacedSuccessor: replacedSuccessor !== undefined,
      sessionRevokedAt: session.revoked_at,
      // The durations may have been longer when it was used last.
      sessionExpiresAt: new Date(
        Math.min(session.expires_at.getTime(), session.last_used_at.getTime() + unusedMs, longest),
      ),
    },
    now,
  )
  if (verdict === 'refuse') return { outcome: 'refused' }
  if (verdict === 'revoke-session') {
    await revokeSessions(trx, now).where({ id: sessionId })
    await recordAuditEvents(trx, [
      await reuseAuditEvent(trx, { sessionId, userId: session.user_id, origin }),
    ])
    return { outcome: 'reused', sessionId, userId: session.user_id }
  }
  // The first replacement counts: renewing within the grace does not extend it.
  await trx('refresh_tokens')
    .where({ token_hash: tokenHash })
    .whereNull('replaced_at')
    .update({ replaced_at: now })
  await insertRefreshToken(trx, {
    sessionId,
    hash: nextTokenHash,
    parentHash: tokenHash,
    createdAt: now,
  })
  const expiresInMs = Math.min(unusedMs, longest - now.getTime())
  await trx('sessions')
    .where({ id: sessionId })
    .update({ last_used_at: now, expires_at: new Date(now.getTime() + expiresInMs) })
  const user = await selectUsers(trx).where('users.id', session.user_id).first<UserRow>()
  return { outcome: 'rotated', session: { sessionId, user: toUser(user), expiresInMs } }
}

async function reuseAuditEvent(
  trx: Knex.Transaction,
  { sessionId, userId, origin }: { sessionId: string; userId: string; origin: SessionOrigin },
): Promise<AuditEvent> {
  const { username } = toUser(await selectUsers(trx).where('users.id', userId).first<UserRow>())
  const target = { type: 'session', id: sessionId, name: username } as const
  return { action: 'session.token_reused', actor: unknownActor(origin), target }
}

async function lockSessionOf(trx: Knex.Transaction, tokenHash: Buffer): Promise<string | null> {
  const row = await trx('sessions')
    .whereIn('id', trx('refresh_tokens').where({ token_hash: tokenHash }).select('session_id'))
    .forNoKeyUpdate()
    .first<{ id: string } | undefined>('id')
  return row?.id ?? null
}

async function changePassword(
  trx: Knex.Transaction,
  { userId, from, to, session, now, auditEvent }: PasswordChange,
): Promise<boolean> {
  if (!(await lockUser(trx, userId))) return false
  const changed =
    from === null
      ? await trx('credentials')
          .insert({ user_id: userId, password_hash: to })
          .onConflict('user_id')
          .ignore()
          .returning('user_id')
      : await trx('credentials')
          .where({ user_id: userId, password_hash: from })
          .update({ password_hash: to })
          .returning('user_id')
  if (changed.length === 0) return false
  await endTokens(trx, { userId, purposes: ['login', 'password-reset', 'invite'], now })
  await endEmailChange(trx, { userId, now })
  await revokeSessions(trx, now).where({ user_id: userId })
  await insertSession(trx, session)
  await recordAuditEvents(trx, [auditEvent])
  return true
}
