import type { AdminPort, PasskeyOptions, SignInPasskeyInput } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { askForUse, readUsed } from '../providers/webauthn.ts'
import { failedSignIn, ownAuditEvent } from './audit-events.ts'
import type { Devices } from './devices.ts'
import type { DirectoryAccounts } from './directory.ts'
import { type ChallengeUse, challengeOf, type PasskeyChallenges } from './passkey-challenges.ts'
import type { PasskeyStore, StoredPasskey } from './passkey-ports.ts'
import type { AuditEventStore, LoginTokenStore, UserStore } from './ports.ts'
import { hasRelyingParty, type RelyingParty, relyingParty } from './relying-party.ts'
import { type FirstStep, requireFirstStep } from './second-step.ts'
import type { Sessions } from './sessions.ts'
import { requirePasswords, type SignedIn } from './sign-in.ts'
import type { Client, User } from './user.ts'

export interface PasskeySignIns {
  /**
   * What the browser is asked; with a login token for the second step of its account.
   * Fails with passkeys_unavailable, unauthorized, token_expired.
   */
  request(
    loginToken: string | undefined,
  ): Promise<{ options: PasskeyOptions | null; hasTotp: boolean }>
  /**
   * A passkey alone stands for both factors, so it has to verify the person; as the second step it
   * need not. Fails with passkeys_unavailable, passkey_refused, unauthorized, token_expired,
   * directory_unavailable.
   */
  signIn(input: SignInPasskeyInput, client: Client): Promise<SignedIn>
}

export interface PasskeySignInsDependencies {
  passkeyStore: PasskeyStore
  challenges: PasskeyChallenges
  loginTokens: LoginTokenStore
  users: UserStore
  auditEvents: AuditEventStore
  sessions: Sessions
  devices: Devices
  directoryAccounts: Pick<DirectoryAccounts, 'admits'>
  admin: AdminPort
  clock: () => Date
}

export function createPasskeySignIns(dependencies: PasskeySignInsDependencies): PasskeySignIns {
  const { passkeyStore, challenges, admin } = dependencies
  const findSite = async () => relyingParty(await admin.settings({}))
  return {
    async request(loginToken) {
      if (loginToken === undefined) {
        await requirePasswords(admin)
        const challenge = challenges.issue(alone)
        const options = await askForUse(await findSite(), { challenge, known: null })
        return { options, hasTotp: false }
      }
      const { userId } = await requireFirstStep(dependencies, loginToken)
      const [[user], known] = await Promise.all([
        dependencies.users.findUsers([userId]),
        passkeyStore.list(userId),
      ])
      const hasTotp = user?.totpVerified ?? false
      const settings = await admin.settings({})
      // An account that has some is not locked in by an address that changed.
      if (known.length === 0 || !hasRelyingParty(settings)) return { options: null, hasTotp }
      const challenge = challenges.issue({ for: 'second-step', userId })
      return { options: await askForUse(relyingParty(settings), { challenge, known }), hasTotp }
    },

    async signIn({ passkey, loginToken }, client) {
      if (loginToken === undefined) await requirePasswords(admin)
      const site = await findSite()
      const first =
        loginToken === undefined ? null : await requireFirstStep(dependencies, loginToken)
      const known = await passkeyStore.find(Buffer.from(passkey.id, 'base64url'))
      const user = known && (await dependencies.users.findUsers([known.userId]))[0]
      const isOfAnother = first !== null && first.userId !== known?.userId
      const attempt = { passkey, client, site, first }
      if (!known || !user || isOfAnother) return refuse(dependencies, client, null)
      return tryPasskey(dependencies, { ...attempt, known, user })
    },
  }
}

const alone: ChallengeUse = { for: 'signing-in', userId: null }

interface Attempt {
  passkey: SignInPasskeyInput['passkey']
  client: Client
  site: RelyingParty
  first: FirstStep | null
  known: StoredPasskey
  user: User
}

async function tryPasskey(
  dependencies: PasskeySignInsDependencies,
  { passkey, client, site, first, known, user }: Attempt,
): Promise<SignedIn> {
  const { passkeyStore, challenges, sessions, devices, clock } = dependencies
  const answered = challengeOf(passkey)
  const use: ChallengeUse = first ? { for: 'second-step', userId: user.id } : alone
  const challenge = challenges.open(answered, use)
  const credential = { ...known }
  const signed =
    challenge &&
    (await readUsed(site, { passkey, challenge: answered, credential, verifiesUser: !first }))
  if (!challenge || !signed) return refuse(dependencies, client, user)
  // The first step of the others was the directory's.
  if (!first && !(await dependencies.directoryAccounts.admits(user, client))) {
    return refuse(dependencies, client, user)
  }
  const session = await sessions.prepare(user, client)
  const outcome = await passkeyStore.signIn({
    ...{ passkey: known, counter: signed.counter, challenge, now: clock() },
    loginTokenHash: first?.tokenHash ?? null,
    session: session.row,
    auditEvent: ownAuditEvent('sign_in.succeeded', user, client, { by: 'passkey' }),
  })
  if (outcome === 'token_refused') throw new AppError('unauthorized')
  if (outcome === 'copied') {
    await passkeyStore.noteCopy(known.id, failedSignIn(user, client, { by: 'copied_passkey' }))
    throw new AppError('passkey_refused')
  }
  if (outcome === 'refused') return refuse(dependencies, client, user)
  return {
    tokens: await session.issueTokens(user),
    deviceToken: devices.issue(user.id, client.deviceToken),
  }
}

async function refuse(
  { auditEvents }: PasskeySignInsDependencies,
  client: Client,
  user: User | null,
): Promise<never> {
  // Of accounts that nobody can name there is nothing to record.
  if (user) await auditEvents.record([failedSignIn(user, client, { by: 'passkey' })])
  throw new AppError('passkey_refused')
}
