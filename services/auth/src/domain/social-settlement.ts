import {
  isEmailDomainAllowed,
  type Language,
  type Settings,
  type SocialErrorCode,
  type SocialProvider,
} from '@floe/contracts'
import { isAppError } from '@floe/errors'
import type { Secrets } from '@floe/secrets'
import { ownAuditEvent } from './audit-events.ts'
import { owedProof } from './email-proofs.ts'
import type { SessionStore } from './ports.ts'
import type { ProviderSession } from './provider-sessions.ts'
import type { SignedIn, SignInOutcome, SignIns } from './sign-in.ts'
import type { SocialAttempt } from './social-attempts.ts'
import type { SocialLandings } from './social-landings.ts'
import {
  type IdentityStore,
  type SocialAdapter,
  SocialError,
  type SocialIdentity,
  type SocialProfile,
} from './social-ports.ts'
import { adoptRole, judgeRoles, refuseWithoutRole, type RoleDependencies } from './social-roles.ts'
import { sealIdToken } from './social-sign-outs.ts'
import { deriveUsername } from './social-usernames.ts'
import type { Client, User } from './user.ts'

export interface SocialSettlementDependencies extends RoleDependencies {
  identities: IdentityStore
  sessionStore: SessionStore
  signIns: SignIns
  secrets: Secrets
}

/** A provider that may be used right now. */
export interface Configured {
  provider: SocialProvider
  settings: Settings
  landings: SocialLandings
  adapter: SocialAdapter
}

/** The attempt that this callback belongs to, if the provider reports success. */
export function assertSuccess(
  attempt: SocialAttempt | null,
  query: URLSearchParams,
): SocialAttempt {
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

/** Redeems the code and does what the attempt was begun for: signs in, or links the account. */
export async function settle(
  dependencies: SocialSettlementDependencies,
  { provider, settings, landings, adapter }: Configured,
  {
    began,
    query,
    client,
    language,
  }: { began: SocialAttempt; query: URLSearchParams; client: Client; language: Language | null },
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
  const user = await admit(dependencies, settings, { provider, profile, client, language })
  const options = {
    ...{ skipsTotp: settings['oauth.ignoreTotp'], by: provider },
    provider: provider === 'oidc' ? keepSession(dependencies, user, profile) : undefined,
  }
  const outcome = await enter(dependencies, user, client, options)
  return 'loginToken' in outcome
    ? { landing: landings.secondStep(outcome.loginToken, redirect), signedIn: null }
    : { landing: landings.to(redirect), signedIn: outcome }
}

async function link(
  { identities, sessionStore, clock }: SocialSettlementDependencies,
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
  const auditEvent = ownAuditEvent('social.linked', session.user, client, { provider })
  const isLinked = await identities.link(key.userId, identity, { now, auditEvent })
  if (!isLinked) throw new SocialError('already_linked')
}

/** What ends the session there, or is ended by it. The ID token says much about somebody. */
function keepSession(
  { secrets }: SocialSettlementDependencies,
  user: User,
  { issuer, subject, session }: SocialProfile,
): ProviderSession | undefined {
  if (session === null) return undefined
  const sealedIdToken = sealIdToken(secrets, user.id, session.idToken)
  return { issuer, subject, sid: session.sid, sealedIdToken }
}

interface Newcomer {
  provider: SocialProvider
  profile: SocialProfile
  client: Client
  language: Language | null
}

/** The user, as their roles at the provider let them in. */
async function admit(
  dependencies: SocialSettlementDependencies,
  settings: Settings,
  newcomer: Newcomer,
): Promise<User> {
  const { provider, profile, client } = newcomer
  const { mayEnter, isAdmin } = judgeRoles(settings, profile.roles)
  if (!mayEnter) {
    const known = await dependencies.identities.findUser({ provider, ...profile })
    return refuseWithoutRole(dependencies, known, client)
  }
  const user = await findOrCreateUser(dependencies, settings, newcomer)
  return adoptRole(dependencies, { user, isAdmin, client })
}

async function findOrCreateUser(
  { identities, clock }: SocialSettlementDependencies,
  settings: Settings,
  { provider, profile, client, language }: Newcomer,
): Promise<User> {
  const identity = { provider, ...profile }
  const known = await identities.findUser(identity)
  if (known) return known
  const username = deriveUsername(profile)
  const createdAt = clock()
  const { email, isEmailVerified } = profile
  return identities.createUser(
    {
      identity,
      username,
      email,
      isEmailVerified: isEmailVerified === true,
      emailProof: owedProof(settings, language, createdAt),
      createdAt,
      origin: client,
    },
    {
      isRegistrationOpen: settings['oauth.allowRegistration'],
      needsApproval: settings['general.requireApproval'],
      isEmailAllowed: email === null || isEmailDomainAllowed(settings, email),
    },
  )
}

async function enter(
  { signIns }: SocialSettlementDependencies,
  user: User,
  client: Client,
  options: Parameters<SignIns['enter']>[2],
): Promise<SignInOutcome> {
  try {
    return await signIns.enter(user, client, options)
  } catch (error) {
    if (isAppError(error, 'account_waiting')) throw new SocialError('account_waiting')
    if (!isAppError(error, 'unauthorized')) throw error
    throw new SocialError('default', 'the user was deleted meanwhile')
  }
}
