import type { SignInTotpInput } from '@floe/contracts'
import { AppError, isAppError } from '@floe/errors'
import { failedSignIn, ownAuditEvent } from './audit-events.ts'
import type { Attempts } from './attempts.ts'
import type { Devices } from './devices.ts'
import { hashOpaqueToken } from './opaque-token.ts'
import type { AuditEventStore, LoginTokenState, LoginTokenStore, UserStore } from './ports.ts'
import type { SecondFactors } from './second-factors.ts'
import type { Sessions } from './sessions.ts'
import type { SignedIn } from './sign-in.ts'
import { isTotpCode } from './totp-codes.ts'
import type { Client, User } from './user.ts'

const MAX_TRIES = 5

export interface SecondSteps {
  /**
   * With the login token of the first step, and a code of the authenticator or a recovery code.
   * Fails with unauthorized (unknown, used, or tried too often), token_expired, totp_not_enabled,
   * invalid_totp, too_many_requests.
   */
  finish(input: SignInTotpInput, client: Client): Promise<SignedIn>
}

export interface SecondStepDependencies {
  users: UserStore
  loginTokens: LoginTokenStore
  auditEvents: AuditEventStore
  factors: SecondFactors
  sessions: Sessions
  devices: Devices
  attempts: Attempts
  clock: () => Date
}

export function createSecondSteps(dependencies: SecondStepDependencies): SecondSteps {
  const { users, devices, attempts, auditEvents } = dependencies
  return {
    async finish({ totp: code, loginToken }, client) {
      const { tokenHash, userId } = await requireFirstStep(dependencies, loginToken)
      const [user] = await users.findUsers([userId])
      if (!user) throw new AppError('unauthorized')
      const finish = async () => {
        try {
          return await tryCode(dependencies, { user, client, code, tokenHash })
        } catch (error) {
          if (isAppError(error) && error.code === 'invalid_totp') {
            await auditEvents.record([failedSignIn(user, client, { by: 'second_factor' })])
          }
          throw error
        }
      }
      // Nobody guesses 80 random bits, so recovery codes stay open when the others are exhausted.
      if (!isTotpCode(code)) return finish()
      const deviceId = devices.recognise(userId, client.deviceToken)
      return attempts.secondStep({ userId, deviceId }, finish)
    },
  }
}

/** The login token of a first step that still counts, and whose it was. */
export interface FirstStep {
  tokenHash: Buffer
  userId: string
}

/** Fails with unauthorized, token_expired. */
export async function requireFirstStep(
  { loginTokens, clock }: Pick<SecondStepDependencies, 'loginTokens' | 'clock'>,
  loginToken: string,
): Promise<FirstStep> {
  const tokenHash = hashOpaqueToken(loginToken)
  return { tokenHash, userId: assertOpen(await loginTokens.find(tokenHash), clock()) }
}

/** The user's id. */
function assertOpen(state: LoginTokenState | null, now: Date): string {
  if (!state || state.usedAt !== null || state.tries >= MAX_TRIES) {
    throw new AppError('unauthorized')
  }
  if (state.expiresAt <= now) throw new AppError('token_expired')
  return state.userId
}

async function tryCode(
  { loginTokens, factors, sessions, devices, clock }: SecondStepDependencies,
  {
    user,
    client,
    code,
    tokenHash,
  }: { user: User; client: Client; code: string; tokenHash: Buffer },
): Promise<SignedIn> {
  // Before looking at the code: of many tries at once no more than five get this far.
  const mayTry = await loginTokens.countTry(tokenHash, { now: clock(), maxTries: MAX_TRIES })
  if (!mayTry) throw new AppError('unauthorized')

  const factor = await factors.recogniseCode(user.id, code)
  const session = await sessions.prepare(user, client)
  const by = 'timeStep' in factor ? 'second_factor' : 'recovery_code'
  const auditEvent = ownAuditEvent('sign_in.succeeded', user, client, { by })
  const login = { tokenHash, factor, session: session.row, now: clock(), auditEvent }
  const outcome = await loginTokens.complete(login)
  if (outcome === 'code_refused') throw new AppError('invalid_totp')
  if (outcome === 'token_refused') throw new AppError('unauthorized')
  return {
    tokens: await session.issueTokens(user),
    deviceToken: devices.issue(user.id, client.deviceToken),
  }
}
