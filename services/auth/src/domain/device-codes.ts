import { randomInt, randomUUID } from 'node:crypto'
import {
  type AdminPort,
  mustVerifyEmail,
  type Settings,
  type TokenScope,
  USER_CODE_LENGTH,
  USER_CODE_LETTERS,
} from '@floe/contracts'
import { AppError, isAppError } from '@floe/errors'
import type { ApiTokens } from './api-tokens.ts'
import type { Attempts } from './attempts.ts'
import { createOpaqueToken, hashOpaqueToken } from './opaque-token.ts'
import type { DeviceCode, DeviceCodeStore } from './device-code-port.ts'
import type { UserStore } from './ports.ts'
import type { SessionOrigin, User } from './user.ts'

const LIFETIME_SECONDS = 600
const INTERVAL_SECONDS = 5
/** Programs are told so long that their code expired. */
const KEPT_MS = 3_600_000

export interface DeviceAsking {
  clientId: string
  clientName: string | undefined
  scopes: TokenScope[]
}

export interface DeviceAuthorization {
  deviceCode: string
  userCode: string
  settings: Settings
  lifetimeSeconds: number
  intervalSeconds: number
}

/** Sign-in of a program without a browser of its own (RFC 8628): somebody approves it in one. */
export interface DeviceCodes {
  begin(asked: DeviceAsking, origin: SessionOrigin): Promise<DeviceAuthorization>
  /** What is asked with a code. Fails with device_code_not_found, too_many_requests. */
  find(user: User, userCode: string, origin: SessionOrigin): Promise<DeviceCode>
  /** As `find`; fails with forbidden and email_not_verified, too. */
  decide(
    user: User,
    decision: { userCode: string; approve: boolean },
    origin: SessionOrigin,
  ): Promise<void>
  /** The token, once. Fails with the codes of RFC 8628 §3.5, and too_many_tokens. */
  redeem(
    key: { deviceCode: string; clientId: string },
    origin: SessionOrigin,
  ): Promise<{ token: string; scopes: TokenScope[]; expiresInSeconds: number }>
  purge(): Promise<void>
}

interface Dependencies {
  store: DeviceCodeStore
  users: Pick<UserStore, 'findUsers'>
  admin: AdminPort
  apiTokens: ApiTokens
  attempts: Attempts
  clock: () => Date
}

export function createDeviceCodes(dependencies: Dependencies): DeviceCodes {
  const { store, attempts, admin, clock } = dependencies

  function findPending(user: User, userCode: string, { address }: SessionOrigin) {
    return attempts.guessUserCode({ userId: user.id, address }, async () => {
      const pending = await store.findPending(userCode, clock())
      if (!pending) throw new AppError('device_code_not_found')
      return pending
    })
  }

  return {
    async begin({ clientId, clientName, scopes }, origin) {
      await attempts.countDeviceRequest(origin.address)
      const { token, hash } = createOpaqueToken()
      const userCode = createUserCode()
      const now = clock()
      await store.insert({
        ...{ id: randomUUID(), hash, userCode, clientId, scopes, createdAt: now },
        clientName: clientName ?? clientId,
        address: origin.address,
        expiresAt: new Date(now.getTime() + LIFETIME_SECONDS * 1000),
        intervalSeconds: INTERVAL_SECONDS,
      })
      return {
        ...{ deviceCode: token, userCode, settings: await admin.settings({}) },
        ...{ lifetimeSeconds: LIFETIME_SECONDS, intervalSeconds: INTERVAL_SECONDS },
      }
    },

    find: findPending,

    async decide(user, { userCode, approve }, origin) {
      const { scopes } = await findPending(user, userCode, origin)
      if (approve) {
        if (!user.isAdmin && scopes.some((scope) => scope.startsWith('admin:'))) {
          throw new AppError('forbidden')
        }
        if (mustVerifyEmail(user, await admin.settings({}))) {
          throw new AppError('email_not_verified')
        }
      }
      const decision = { userCode, userId: user.id, isApproved: approve, now: clock() }
      if (!(await store.decide(decision))) throw new AppError('device_code_not_found')
    },

    redeem: ({ deviceCode, clientId }, origin) =>
      redeem(dependencies, { hash: hashOpaqueToken(deviceCode), clientId }, origin),

    purge: () => store.purge(new Date(clock().getTime() - KEPT_MS)),
  }
}

async function redeem(
  { store, users, admin, apiTokens, clock }: Dependencies,
  key: { hash: Buffer; clientId: string },
  origin: SessionOrigin,
) {
  const poll = await store.poll({ ...key, now: clock() })
  if (poll.state !== 'approved') throw new AppError(poll.state)
  // The account as it is by now, not as it was when it approved.
  const [user] = await users.findUsers([poll.userId])
  if (!user || mustVerifyEmail(user, await admin.settings({}))) throw new AppError('access_denied')
  const { scopes, clientName } = poll
  const input = {
    ...{ name: `Command line on ${clientName}`, scopes, networks: [] },
    expiresIn: '90-days',
  }
  try {
    const { token, summary } = await apiTokens.create(user, input, origin)
    const lifetimeMs = (summary.expiresAt?.getTime() ?? 0) - summary.createdAt.getTime()
    return { token, scopes, expiresInSeconds: Math.floor(lifetimeMs / 1000) }
  } catch (error) {
    if (isAppError(error, 'forbidden')) throw new AppError('access_denied', { cause: error })
    throw error
  }
}

function createUserCode(): string {
  const letters = Array.from({ length: USER_CODE_LENGTH }, () =>
    USER_CODE_LETTERS.charAt(randomInt(USER_CODE_LETTERS.length)),
  )
  return letters.join('')
}
