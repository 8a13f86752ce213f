import { randomUUID } from 'node:crypto'
import { type AdminPort, needsSecondFactor, readTokenCredential } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { actorOf, ownAuditEvent } from './audit-events.ts'
import type { AccessTokens } from './access-tokens.ts'
import type { ApiTokens } from './api-tokens.ts'
import type { DirectoryAccounts } from './directory.ts'
import { createOpaqueToken, hashOpaqueToken } from './opaque-token.ts'
import type { NewSession, SessionStore, SessionSummary } from './ports.ts'
import { judgeRefreshToken } from './refresh-tokens.ts'
import { type ActiveSession, hasSecondFactor, type SessionOrigin, type User } from './user.ts'

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
  /**
   * A session to be stored together with what entitles to it, and its tokens. Fails with
   * account_waiting: every way in leads here.
   */
  prepare(user: Pick<User, 'id' | 'isWaiting'>, origin: SessionOrigin): Promise<PreparedSession>
  /**
   * `null` unless token, session and user are all alive right now, and for somebody who has to set
   * up a second factor before anything else.
   */
  identify(accessToken: string | null): Promise<ActiveSession | null>
  /** The same without the last: for what sets one up. */
  identifyAny(accessToken: string | null): Promise<ActiveSession | null>
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

  async function requireReady(session: ActiveSession | null) {
    if (session === null || session.user.isWaiting) return null
    return (await lacksSecondFactor(admin, session.user)) ? null : session
  }

  /** A token sets nothing up, so that its owner has to have done so. */
  async function identifyAny(accessToken: string | null) {
    const byToken = accessToken === null ? null : readTokenCredential(accessToken)
    if (byToken) return requireReady(await apiTokens.identify(byToken))
    const subject = accessToken === null ? null : await accessTokens.verify(accessToken)
    const session = subject && (await store.findActiveSession({ ...subject, now: clock() }))
    return session?.user.isWaiting ? null : session
  }

  return {
    prepare: async ({ id: userId, isWaiting }, origin) => {
      if (isWaiting) throw new AppError('account_waiting')
      const { unusedMs, longestMs } = await readDurations(admin)
      const expiresInMs = Math.min(unusedMs, longestMs)
      return prepareSession(accessTokens, { userId, origin, now: clock(), expiresInMs })
    },

    async identify(accessToken) {
      return requireReady(await identifyAny(accessToken))
    },

    identifyAny,

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
  const durations = await readDurations(admin)
  const next = createOpaqueToken()
  const rotation = await store.rotateRefreshToken({
    tokenHash,
    nextTokenHash: next.hash,
    now: clock(),
    ...durations,
    judge: judgeRefreshToken,
    origin,
  })
  if (rotation.outcome === 'reused') {
    const { sessionId, userId } = rotation
    log.warn({ sessionId, userId }, 'refresh token reused after rotation; session ended')
  }
  if (rotation.outcome !== 'rotated') throw new AppError('unauthorized')
  const { user, sessionId, expiresInMs } = rotation.session
  const accessToken = await accessTokens.sign(user, sessionId)
  return { accessToken, refreshToken: next.token, expiresInMs }
}

function whatToPurge(nowMs: number) {
  return {
    endedBefore: new Date(nowMs - PURGE_ENDED_AFTER_MS),
    replacedBefore: new Date(nowMs - PURGE_REPLACED_AFTER_MS),
  }
}

/** Whether this user may do nothing but set up a second factor. */
export async function lacksSecondFactor(
  admin: Pick<AdminPort, 'settings'>,
  user: User,
): Promise<boolean> {
  return !hasSecondFactor(user) && needsSecondFactor(await admin.settings({}), user)
}

/** How long a session lives that is not used, and one that is. */
async function readDurations(
  admin: Pick<AdminPort, 'settings'>,
): Promise<{ unusedMs: number; longestMs: number }> {
  const settings = await admin.settings({})
  return {
    unusedMs: settings['general.sessionDuration'] * hourMs,
    longestMs: (settings['general.longestSession'] || Number.POSITIVE_INFINITY) * hourMs,
  }
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
