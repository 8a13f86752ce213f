import type { AdminPort, Language, SocialErrorCode, SocialProvider } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { failedSignIn } from './audit-events.ts'
import { assertLocal } from './directory.ts'
import type { AuditEventStore } from './ports.ts'
import type { SecurityLog } from './sessions.ts'
import type { SignedIn } from './sign-in.ts'
import { codeChallengeOf, type SocialAttempts } from './social-attempts.ts'
import { socialLandings, startOf } from './social-landings.ts'
import { createSocialLinks, type SocialLinks } from './social-links.ts'
import { type SocialAdapters, SocialError, type SocialTrial } from './social-ports.ts'
import { availableProviders, isFilledIn } from './social-settings.ts'
import {
  assertSuccess,
  type Configured,
  settle,
  type SocialSettlementDependencies,
} from './social-settlement.ts'
import type { ActiveSession, Client } from './user.ts'

/** The redirect to a provider, and the cookie that goes with it. */
export interface Departure {
  provider: SocialProvider
  location: string
  /** `null` when the provider cannot be reached: then there is nothing to come back from. */
  sealedAttempt: string | null
}

export interface Arrival {
  provider: SocialProvider
  location: string
  signedIn: SignedIn | null
}

export interface CallbackRequest {
  provider: string
  /** The query as it came, with members the contract does not name: `iss` of RFC 9207. */
  query: URLSearchParams
  sealedAttempt: string | null
  /** Does this browser seem signed in? Decides only where the error page links back to. */
  hasSession: boolean
  client: Client
  language: Language | null
}

/** Signing in with accounts of other sites. A provider that is off is social_provider_disabled. */
export interface SocialSignIns extends SocialLinks {
  listProviders(): Promise<SocialProvider[]>
  /**
   * Asks the provider, on or off, whether it accepts the saved client. Fails with
   * social_check_incomplete, social_check_failed, social_client_rejected.
   */
  tryOut(provider: SocialProvider): Promise<SocialTrial>
  /** Whether one of those that are switched on passes that trial. */
  hasWorkingProvider(): Promise<boolean>
  /** Links an account if there is a session; signs in otherwise. Fails with directory_account. */
  depart(request: {
    provider: string
    redirect: string
    session: ActiveSession | null
  }): Promise<Departure>
  /** Every failure of the sign-in itself is an arrival at the error page. */
  arrive(request: CallbackRequest): Promise<Arrival>
}

/** Refusals of a proven account. They are audited; anybody can cause the others. */
const refusedAccounts: readonly SocialErrorCode[] = [
  'no_user',
  'no_email',
  'unverified_account',
  'email_already_exists',
  'email_domain_refused',
  'account_waiting',
  'role_missing',
  'discord_guild_permission_denied',
]

export interface SocialDependencies extends SocialSettlementDependencies {
  auditEvents: AuditEventStore
  adapters: SocialAdapters
  attempts: SocialAttempts
  admin: AdminPort
  log: SecurityLog
}

export function createSocialSignIns(dependencies: SocialDependencies): SocialSignIns {
  const { adapters, attempts, auditEvents, admin, log } = dependencies

  async function configured(name: string): Promise<Configured> {
    const settings = await admin.settings({})
    const provider = availableProviders(settings).find((available) => available === name)
    if (!provider) throw new AppError('social_provider_disabled')
    const landings = socialLandings(settings, provider)
    return { provider, settings, landings, adapter: adapters.adapterOf(provider, settings) }
  }

  /** The error page for what may go wrong; anything else is not a matter of the sign-in. */
  function explain(error: unknown, { provider, landings }: Configured, backTo: string): string {
    if (!(error instanceof SocialError)) throw error
    const { code, message } = error
    if (code !== 'access_denied') log.warn({ provider, code, message }, 'social login failed')
    return landings.error(code, backTo)
  }

  return {
    listProviders: async () => availableProviders(await admin.settings({})),
    ...createSocialLinks(dependencies),

    tryOut: (provider) => tryOutClient(dependencies, provider),

    async hasWorkingProvider() {
      const providers = availableProviders(await admin.settings({}))
      const trials = await Promise.allSettled(
        providers.map((provider) => tryOutClient(dependencies, provider)),
      )
      return trials.some(({ status }) => status === 'fulfilled')
    },

    async depart({ provider: name, redirect, session }) {
      // Another way in would stay open once the directory has closed its own.
      if (session) assertLocal(session.user)
      const configuration = await configured(name)
      const { provider, landings, adapter } = configuration
      const link = session && { userId: session.user.id, sessionId: session.sessionId }
      const attempt = attempts.begin({ redirect, link })
      try {
        const url = await adapter.authorizationUrl({
          state: attempt.state,
          nonce: attempt.nonce,
          codeChallenge: codeChallengeOf(attempt),
          redirectUri: landings.callback,
        })
        return { provider, location: url.href, sealedAttempt: attempts.seal(provider, attempt) }
      } catch (error) {
        const backTo = startOf({ isLinking: link !== null, redirect })
        return { provider, location: explain(error, configuration, backTo), sealedAttempt: null }
      }
    },

    async arrive({ provider: name, query, sealedAttempt, hasSession, client, language }) {
      const configuration = await configured(name)
      const { provider } = configuration
      const attempt = attempts.open(provider, sealedAttempt)
      try {
        const began = assertSuccess(attempt, query)
        const { landing, signedIn } = await settle(dependencies, configuration, {
          began,
          query,
          client,
          language,
        })
        return { provider, location: landing, signedIn }
      } catch (error) {
        if (error instanceof SocialError && refusedAccounts.includes(error.code)) {
          const details = { by: provider, reason: error.code }
          await auditEvents.record([failedSignIn(null, client, details)])
        }
        const isLinking = attempt ? attempt.link !== null : hasSession
        const backTo = startOf({ isLinking, redirect: attempt?.redirect ?? '/' })
        return { provider, location: explain(error, configuration, backTo), signedIn: null }
      }
    },
  }
}

async function tryOutClient(
  { admin, adapters }: Pick<SocialDependencies, 'admin' | 'adapters'>,
  provider: SocialProvider,
): Promise<SocialTrial> {
  const settings = await admin.settings({})
  if (!isFilledIn(settings, provider)) throw new AppError('social_check_incomplete')
  const { callback } = socialLandings(settings, provider)
  try {
    return await adapters.adapterOf(provider, settings).tryOut(callback)
  } catch (error) {
    if (!(error instanceof SocialError)) throw error
    const isRejected = error.code === 'invalid_token'
    throw new AppError(isRejected ? 'social_client_rejected' : 'social_check_failed', {
      cause: error,
      values: { reason: error.message },
    })
  }
}
