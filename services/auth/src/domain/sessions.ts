import { randomUUID } from 'node:crypto'
import { type AdminPort, readTokenCredential } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { actorOf, ownAuditEvent } from './audit-events.ts'
import type { AccessTokens } from './access-tokens.ts'
import type { ApiTokens } from './api-tokens.ts'
import type { DirectoryAccounts } from './directory.ts'
import { createOpaqueToken, hashOpaqueToken } from './opaque-token.ts'
import type { NewSession, SessionStore, SessionSummary } from './ports.ts'
import { judgeRefreshToken } from './refresh-tokens.ts'
import type { ActiveSession, SessionOrigin, User } from './user.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const PURGE_ENDED_AFTER_MS = dayMs
/** Replaced tokens stay this long, so that their reuse is recognised. */
const PURGE_REPLACED_AFTER_MS = 7 * dayMs

export interface SessionTokens {
  accessToken: string
  refreshToken: string
  /** Until the session ends unless it is renewed. */
  expiresInMs: number
}

/** Tokens that identify the session to sign out: either may be missing or stale. */
export interface HeldTokens {
  accessToken: string | null
  refreshToken: string | null
}

export interface SecurityLog {
  warn(fields: Record<string, string>, text: string): void
}

export interface Sessions {
  /** A session to be stored together with what entitles to it, and its tokens. */
  prepare(userId: string, origin: SessionOrigin): Promise<PreparedSession>
  /** `null` unless token, session and user are all alive right now. */
  identify(accessToken: string | null): Promise<ActiveSession | null>
  /** Fails with unauthorized. */
  renew(refreshToken: string | null, origin: SessionOrigin): Promise<SessionTokens>
  end(tokens: HeldTokens): Promise<void>
  /** The user's devices, the latest used first. */
  list(userId: string): Promise<SessionSummary[]>
  /** Fails with session_not_found unless the user has such a session. */
  endOwn(user: User, sessionId: string, origin: SessionOrigin): Promise<void>
  endAll(user: User, origin: SessionOrigin): Promise<void>
  purge(): Promise<void>
}

export interface PreparedSession {
  row: NewSession
  issueTokens(user: User): Promise<SessionTokens>
}

export interface SessionDependencies {
  store: SessionStore
  admin: Pick<AdminPort, 'settings'>
  accessTokens: AccessTokens
  apiTokens: Pick<ApiTokens, 'identify'>
  directoryAccounts: Pick<DirectoryAccounts, 'recheck'>
  clock: () => Date
  log: SecurityLog
}

export function createSessions(dependencies: SessionDependencies): Sessions {
  const { store, admin, accessTokens, apiTokens, clock } = dependencies
  return {
    prepare: async (userId, origin) => {
      const expiresInMs = await readDuration(admin)
      return prepareSession(accessTokens, { userId, origin, now: clock(), expiresInMs })
    },

    async identify(accessToken) {
      const byToken = accessToken === null ? null : readTokenCredential(accessToken)
      if (byToken) return apiTokens.identify(byToken)
      const subject = accessToken === null ? null : await accessTokens.verify(accessToken)
      return subject && store.findActiveSession({ ...subject, now: clock() })
    },

    renew: (refreshToken, origin) => renew(dependencies, refreshToken, origin),

    async end({ accessToken, refreshToken }) {
      const subject = accessToken === null ? null : await accessTokens.verifySignature(accessToken)
      if (subject) await store.revokeSession(subject.sessionId, clock())
      if (refreshToken !== null) {
        await store.revokeSessionOfToken(hashOpaqueToken(refreshToken), clock())
      }
    },

    list: (userId) => store.listSessions(userId, clock()),

    async endOwn(user, sessionId, origin) {
      const target = { type: 'session', id: sessionId, name: user.username } as const
      const auditEvent = { action: 'session.ended', actor: actorOf(user, origin), target } as const
      const key = { sessionId, userId: user.id, now: clock(), auditEvent }
      const hasEnded = await store.revokeOwnSession(key)
      if (!hasEnded) throw new AppError('session_not_found')
    },

    endAll: (user, origin) => {
      const auditEvent = ownAuditEvent('session.all_ended', user, origin)
      return store.revokeSessionsOf(user.id, { now: clock(), auditEvent })
    },

    purge: () => store.purge(whatToPurge(clock().getTime())),
  }
}

async function renew(
  { store, admin, accessTokens, directoryAccounts, clock, log }: SessionDependencies,
  refreshToken: string | null,
  origin: SessionOrigin,
): Promise<SessionTokens> {
  if (refreshToken === null) throw new AppError('unauthorized')
  const tokenHash = hashOpaqueToken(refreshToken)
  const owner = await store.findDirectoryUserOfToken(tokenHash, clock())
  if (owner && !(await directoryAccounts.recheck(owner, origin))) {
    throw new AppError('unauthorized')
  }
  const expiresInMs = await readDuration(admin)
  const next = createOpaqueToken()
  const rotation = await store.rotateRefreshToken({
    tokenHash,
    nextTokenHash: next.hash,
    now: clock(),
    expiresInMs,
    judge: judgeRefreshToken,
    origin,
  })
  if (rotation.outcome === 'reused') {
    const { sessionId, userId } = rotation
    log.warn({ sessionId, userId }, 'refresh token reused after rotation; session ended')
  }
  if (rotation.outcome !== 'rotated') throw new AppError('unauthorized')
  const { user, sessionId } = rotation.session
  const accessToken = await accessTokens.sign(user, sessionId)
  return { accessToken, refreshToken: next.token, expiresInMs }
}

function whatToPurge(nowMs: number) {
  return {
    endedBefore: new Date(nowMs - PURGE_ENDED_AFTER_MS),
    replacedBefore: new Date(nowMs - PURGE_REPLACED_AFTER_MS),
  }
}

async function readDuration(admin: Pick<AdminPort, 'settings'>): Promise<number> {
  return (await admin.settings({}))['general.sessionDuration'] * hourMs
}

function prepareSession(
  accessTokens: AccessTokens,
  {
    userId,
    origin,
    now,
    expiresInMs,
  }: { userId: string; origin: SessionOrigin; now: Date; expiresInMs: number },
): PreparedSession {
  const id = randomUUID()
  const { address, userAgent } = origin
  const { token: refreshToken, hash: refreshTokenHash } = createOpaqueToken()
  return {
    row: {
      id,
      userId,
      createdAt: now,
      expiresAt: new Date(now.getTime() + expiresInMs),
      client: { address, userAgent },
      refreshTokenHash,
    },
    issueTokens: async (user) => ({
      accessToken: await accessTokens.sign(user, id),
      refreshToken,
      expiresInMs,
    }),
  }
}
