import { randomUUID } from 'node:crypto'
import {
  addDuration,
  type CreateTokenInput,
  parseExpiration,
  type RouteScope,
  type TokenScope,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import { createApiToken, hashApiToken, isApiToken } from './api-token-text.ts'
import { actorOf } from './audit-events.ts'
import type { ApiTokenStore, StoredToken, TokenSummary } from './ports.ts'
import type { ActiveSession, SessionOrigin, TokenCaps, User } from './user.ts'

const HOUR_MS = 3_600_000
// ISO dates with four digits of year end here.
const END_OF_TIME_MS = Date.UTC(10_000, 0, 1)
/** A list that a person can still look through. */
const MOST_TOKENS = 100

/** A token at the door of a route. */
export interface TokenUse {
  token: string
  scope: RouteScope
  clientAddress: string
  userAgent: string
}

/** Tokens for scripts: what they may is never more than what their owner may at that moment. */
export interface ApiTokens {
  /** Fails with forbidden (scopes of administrators), validation_failed, too_many_tokens. */
  create(
    user: User,
    input: CreateTokenInput,
    origin: SessionOrigin,
  ): Promise<{ token: string; summary: TokenSummary }>
  list(userId: string): Promise<TokenSummary[]>
  /** Of anybody, for administrators. Fails with token_not_found. */
  revoke(user: User, id: string, origin: SessionOrigin): Promise<void>
  /** Whether it has the scope. Fails with token_invalid. */
  check(use: TokenUse): Promise<boolean>
  /** As whom somebody comes who was let in with it; `null` once it has ended. */
  identify(credential: { token: string; scope: TokenScope }): Promise<ActiveSession | null>
}

export function createApiTokens({
  store,
  clock,
}: {
  store: ApiTokenStore
  clock: () => Date
}): ApiTokens {
  async function find(token: string, clientAddress: string | null): Promise<StoredToken | null> {
    if (!isApiToken(token)) return null
    return store.find({ hash: hashApiToken(token), now: clock(), clientAddress })
  }

  return {
    async create(user, { expiresIn, maxShareSize, ...input }, origin) {
      if (!user.isAdmin && input.scopes.some(isForAdministrators)) throw new AppError('forbidden')
      const now = clock()
      const { token, hash, prefix } = createApiToken()
      const id = randomUUID()
      const row = {
        ...{ id, prefix, createdAt: now, expiresAt: expiryOf(expiresIn, now) },
        name: input.name,
        scopes: input.scopes,
        networks: input.networks,
        maxShareBytes: maxShareSize ?? null,
        maxExpiration: input.maxExpiration ?? null,
      }
      const auditEvent = {
        action: 'token.created',
        actor: actorOf(user, origin),
        target: { type: 'token', id, name: input.name },
        details: { scopes: input.scopes.join(' ') },
      } as const
      const stored = { ...row, userId: user.id, hash, auditEvent }
      if (!(await store.insert(stored, MOST_TOKENS))) {
        throw new AppError('too_many_tokens', { values: { count: MOST_TOKENS } })
      }
      return { token, summary: { ...row, lastUse: null } }
    },

    list: (userId) => store.list(userId),

    async revoke(user, id, origin) {
      const actor = actorOf(user, origin)
      const isRevoked = await store.revoke({ id, ownerId: user.isAdmin ? null : user.id, actor })
      if (!isRevoked) throw new AppError('token_not_found')
    },

    async check({ token, scope, clientAddress, userAgent }) {
      const stored = await find(token, clientAddress)
      if (!stored) throw new AppError('token_invalid')
      await store.noteUse({ id: stored.id, at: clock(), address: clientAddress, userAgent })
      return allows(stored, scope)
    },

    async identify({ token, scope }) {
      const stored = await find(token, null)
      if (!stored || !allows(stored, scope)) return null
      const { id, createdAt, user } = stored
      // Elsewhere a token is for what is the owner's own, whatever other scopes it has.
      const isAdmin = user.isAdmin && isForAdministrators(scope)
      return {
        sessionId: id,
        startedAt: createdAt,
        user: { ...user, isAdmin },
        tokenCaps: capsOf(stored),
      }
    },
  }
}

const isForAdministrators = (scope: string) => scope.startsWith('admin:')

function allows({ scopes }: StoredToken, scope: RouteScope): boolean {
  return scope === 'visitor' || scopes.some((granted) => granted === scope)
}

function endOf(expiration: string, from: Date): Date | null {
  const duration = parseExpiration(expiration)
  return duration && addDuration(from, duration)
}

function expiryOf(expiresIn: string, now: Date): Date | null {
  const end = endOf(expiresIn, now)
  if (end === null || end.getTime() < END_OF_TIME_MS) return end
  throw new AppError('validation_failed', { issues: ['expiresIn: must be before the year 10000'] })
}

function capsOf({ maxShareBytes, maxExpiration, createdAt }: StoredToken): TokenCaps {
  const longest = maxExpiration === null ? null : endOf(maxExpiration, createdAt)
  return {
    maxShareBytes,
    maxExpirationHours: longest && (longest.getTime() - createdAt.getTime()) / HOUR_MS,
  }
}
