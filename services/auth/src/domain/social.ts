import {
  type AdminPort,
  type Settings,
  type SocialErrorCode,
  type SocialLink,
  type SocialProvider,
  socialProviders,
} from '@floe/contracts'
import { AppError, isAppError } from '@floe/errors'
import { failedSignIn, ownAct } from './acts.ts'
import type { ActStore, SessionStore } from './ports.ts'
import type { SecurityLog } from './sessions.ts'
import type { SignedIn, SignInOutcome, SignIns } from './sign-in.ts'
import { codeChallengeOf, type SocialAttempt, type SocialAttempts } from './social-attempts.ts'
import { type SocialLandings, socialLandings, startOf } from './social-landings.ts'
import {
  type IdentityStore,
  type SocialAdapter,
  type SocialAdapters,
  SocialError,
  type SocialIdentity,
  type SocialProfile,
  type SocialTrial,
} from './social-ports.ts'
import { availableProviders, isFilledIn } from './social-settings.ts'
import { deriveUsername } from './social-usernames.ts'
import type { ActiveSession, Client, SessionOrigin, User } from './user.ts'

/** Where the browser goes next, and what it takes along. */
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
  /** Whether this browser seems signed in: decides only where the error page leads back to. */
  hasSession: boolean
  client: Client
}

/** Signing in with accounts of other sites. A provider that is off is social_provider_disabled. */
export interface SocialSignIns {
  listProviders(): Promise<SocialProvider[]>
  listLinks(userId: string): Promise<SocialLink[]>
  /**
   * Asks the provider, on or off, whether it takes the client that was saved. Fails with
   * social_check_incomplete, social_check_failed.
   */
  tryOut(provider: SocialProvider): Promise<SocialTrial>
  /** With a session it is to link an account, else to sign in. */
  depart(request: {
    provider: string
    redirect: string
    session: ActiveSession | null
  }): Promise<Departure>
  /** Every failure of the sign-in itself is an arrival at the error page. */
  arrive(request: CallbackRequest): Promise<Arrival>
  /**
   * The address of the error page when nothing was linked, `null` when it is unlinked now. Fails
   * with last_sign_in_method unless confirmed.
   */
  unlink(
    user: User,
    provider: string,
    options: { isConfirmed: boolean; origin: SessionOrigin },
  ): Promise<string | null>
}

/** What a provider's account ends with that was really shown; the rest costs a stranger nothing. */
const refusedAccounts: readonly SocialErrorCode[] = [
  'no_user',
  'no_email',
  'unverified_account',
  'email_already_exists',
  'discord_guild_permission_denied',
]

export interface SocialDependencies {
  acts: ActStore
  adapters: SocialAdapters
  attempts: SocialAttempts
  identities: IdentityStore
  sessionStore: SessionStore
  signIns: SignIns
  admin: AdminPort
  clock: () => Date
  log: SecurityLog
}

/** A provider that may be used right now. */
interface Configured {
  provider: SocialProvider
  settings: Settings
  landings: SocialLandings
  adapter: SocialAdapter
}

export function createSocialSignIns(dependencies: SocialDependencies): SocialSignIns {
  const { adapters, attempts, identities, acts, admin, log } = dependencies

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
    listLinks: (userId) => identities.listLinks(userId),

    async tryOut(provider) {
      const settings = await admin.settings({})
      if (!isFilledIn(settings, provider)) throw new AppError('social_check_incomplete')
      const { callback } = socialLandings(settings, provider)
      try {
        return await adapters.adapterOf(provider, settings).tryOut(callback)
      } catch (error) {
        if (!(error instanceof SocialError)) throw error
        throw new AppError('social_check_failed', {
          cause: error,
          values: { reason: error.message },
        })
      }
    },

    async depart({ provider: name, redirect, session }) {
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

    async arrive({ provider: name, query, sealedAttempt, hasSession, client }) {
      const configuration = await configured(name)
      const { provider } = configuration
      const attempt = attempts.open(provider, sealedAttempt)
      try {
        const began = assertAnswer(attempt, query)
        const { landing, signedIn } = await settle(dependencies, configuration, {
          began,
          query,
          client,
        })
        return { provider, location: landing, signedIn }
      } catch (error) {
        if (error instanceof SocialError && refusedAccounts.includes(error.code)) {
          const details = { by: provider, reason: error.code }
          await acts.record([failedSignIn(null, client, details)])
        }
        const isLinking = attempt ? attempt.link !== null : hasSession
        const backTo = startOf({ isLinking, redirect: attempt?.redirect ?? '/' })
        return { provider, location: explain(error, configuration, backTo), signedIn: null }
      }
    },

    async unlink(user, name, { isConfirmed, origin }) {
      const settings = await admin.settings({})
      // Also of a provider that is off by now: its link is still there.
      const provider = socialProviders.find((known) => known === name)
      if (!provider) throw new AppError('social_provider_disabled')
      const otherWaysIn = availableProviders(settings).filter((one) => one !== provider)
      const outcome = await identities.unlink(user.id, provider, {
        otherWaysIn,
        isConfirmed,
        act: ownAct('social.unlinked', user, origin, { provider }),
      })
      if (outcome === 'last-way-in') throw new AppError('last_sign_in_method')
      if (outcome === 'unlinked') return null
      return socialLandings(settings, provider).error('not_linked', '/account')
    },
  }
}

/** The attempt that this query answers, if it answers one with success. */
function assertAnswer(attempt: SocialAttempt | null, query: URLSearchParams): SocialAttempt {
  if (!attempt) throw new SocialError('expired_token', 'no attempt was begun in this browser')
  if (query.get('state') !== attempt.state) {
    throw new SocialError('invalid_token', 'the state is not that of the attempt')
  }
  const error = query.get('error')
  if (error !== null) throw new SocialError(codeOfProvider(error), `the provider says ${error}`)
  return attempt
}

function codeOfProvider(error: string): SocialErrorCode {
  return error === 'access_denied' || error === 'expired_token' ? error : 'default'
}

/** Redeems the answer and does what the attempt was begun for. */
async function settle(
  dependencies: SocialDependencies,
  { provider, settings, landings, adapter }: Configured,
  { began, query, client }: { began: SocialAttempt; query: URLSearchParams; client: Client },
): Promise<{ landing: string; signedIn: SignedIn | null }> {
  const { state, nonce, codeVerifier, redirect } = began
  const callbackUrl = new URL(`${landings.callback}?${query.toString()}`)
  const profile = await adapter.fetchProfile({ callbackUrl, state, nonce, codeVerifier })
  // An address that is not its owner's proves nothing about them, in whatever they came for.
  if (profile.isEmailVerified === false) throw new SocialError('unverified_account')
  if (began.link) {
    await link(dependencies, { key: began.link, identity: { provider, ...profile }, client })
    return { landing: landings.to('/account'), signedIn: null }
  }
  const user = await findOrCreateUser(dependencies, settings, { provider, profile, client })
  const options = { skipsTotp: settings['oauth.ignoreTotp'], by: provider }
  const outcome = await enter(dependencies, user, client, options)
  return 'loginToken' in outcome
    ? { landing: landings.secondStep(outcome.loginToken, redirect), signedIn: null }
    : { landing: landings.to(redirect), signedIn: outcome }
}

async function link(
  { identities, sessionStore, clock }: SocialDependencies,
  {
    key,
    identity,
    client,
  }: {
    key: { userId: string; sessionId: string }
    identity: SocialIdentity
    client: Client
  },
): Promise<void> {
  const now = clock()
  const session = await sessionStore.findActiveSession({ ...key, now })
  if (!session) throw new SocialError('expired_token', 'the session that asked for it has ended')
  const { provider } = identity
  const act = ownAct('social.linked', session.user, client, { provider })
  const isLinked = await identities.link(key.userId, identity, { now, act })
  if (!isLinked) throw new SocialError('already_linked')
}

async function findOrCreateUser(
  { identities, clock }: SocialDependencies,
  settings: Settings,
  {
    provider,
    profile,
    client,
  }: { provider: SocialProvider; profile: SocialProfile; client: Client },
): Promise<User> {
  const identity = { provider, ...profile }
  const known = await identities.findUser(identity)
  if (known) return known
  const username = deriveUsername(profile)
  return identities.createUser(
    { identity, username, email: profile.email, createdAt: clock(), origin: client },
    { isRegistrationOpen: settings['oauth.allowRegistration'] },
  )
}

async function enter(
  { signIns }: SocialDependencies,
  user: User,
  client: Client,
  options: { skipsTotp: boolean; by: SocialProvider },
): Promise<SignInOutcome> {
  try {
    return await signIns.enter(user, client, options)
  } catch (error) {
    if (!isAppError(error) || error.code !== 'unauthorized') throw error
    throw new SocialError('default', 'the user was deleted meanwhile')
  }
}
