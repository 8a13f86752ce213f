import type { AdminPort, ErrorCode, SignInInput, SocialProvider } from '@floe/contracts'
import { AppError, isAppError } from '@floe/errors'
import type { Passwords } from '@floe/secrets'
import { failedSignIn, ownAuditEvent } from './audit-events.ts'
import type { Attempts, SignInAttempt } from './attempts.ts'
import type { Devices } from './devices.ts'
import type { DirectoryAccounts } from './directory.ts'
import { createOpaqueToken } from './opaque-token.ts'
import type { AuditEventStore, Login, LoginTokenStore, SessionStore, UserStore } from './ports.ts'
import type { ProviderSession } from './provider-sessions.ts'
import type { Sessions, SessionTokens } from './sessions.ts'
import { type Client, hasSecondFactor, type User } from './user.ts'

export const LOGIN_TOKEN_TTL_MS = 5 * 60 * 1000

/** Tokens for the browser's cookies. */
export interface SignedIn {
  tokens: SessionTokens
  /** Known to the account from now on. */
  deviceToken: string
}

/** Either in, or the second step is due. */
export type SignInOutcome = SignedIn | { loginToken: string }

/** What let somebody in. */
type EnteredBy = 'password' | 'directory' | SocialProvider

export interface SignIns {
  /**
   * By name and password: those of a local account, or else of the directory. Fails with
   * password_sign_in_disabled, wrong_credentials, with the same work whether or not the account
   * exists, with account_waiting,
   * too_many_requests, and as `DirectoryAccounts.authenticate` does.
   */
  signIn(input: SignInInput, client: Client): Promise<SignInOutcome>
  /**
   * For a user who proved their identity in another way. Fails with unauthorized when the user
   * is gone meanwhile.
   */
  enter(
    user: User,
    client: Client,
    options: { skipsTotp: boolean; by: SocialProvider; provider?: ProviderSession | undefined },
  ): Promise<SignInOutcome>
  /**
   * For a user without a second factor whose password was set just now. `null` when the user is
   * gone meanwhile, or has another password.
   */
  enterByPassword(user: User, client: Client, passwordHash: string): Promise<SignedIn | null>
}

export interface SignInDependencies {
  users: UserStore
  sessionStore: SessionStore
  loginTokens: LoginTokenStore
  auditEvents: AuditEventStore
  sessions: Sessions
  passwords: Passwords
  directoryAccounts: DirectoryAccounts
  devices: Devices
  attempts: Attempts
  admin: Pick<AdminPort, 'settings'>
  clock: () => Date
}

export function createSignIns(dependencies: SignInDependencies): SignIns {
  return {
    signIn: (input, client) => signIn(dependencies, input, client),
    async enter(user, client, options) {
      const outcome = await letIn(dependencies, user, client, { ...options, passwordHash: null })
      if (outcome === null) throw new AppError('unauthorized')
      return outcome
    },
    enterByPassword: (user, client, passwordHash) =>
      startSession(dependencies, user, client, { passwordHash, by: 'password' }),
  }
}

async function signIn(
  dependencies: SignInDependencies,
  input: SignInInput,
  client: Client,
): Promise<SignInOutcome> {
  const { users, auditEvents, directoryAccounts, admin } = dependencies
  await requirePasswords(admin)
  const identifier = input.email ?? input.username ?? ''
  const login = await users.findLogin(identifier)
  // A local account's name is its own, so that it lets its user in whatever becomes of the directory.
  const isLocal = login !== null && login.user.directoryId === null
  const isElsewhere = !isLocal && (await directoryAccounts.isEnabled())
  const prove = isElsewhere ? proveByDirectory : proveByPassword
  try {
    return await prove(dependencies, { identifier, password: input.password, client, login })
  } catch (error) {
    // Refused attempts are not looked at, and not recorded: the log is not for flooding.
    if (isAppError(error) && recordedFailures.includes(error.code)) {
      const by = isElsewhere ? 'directory' : 'password'
      const reason = error.code === 'wrong_credentials' ? {} : { reason: error.code }
      await auditEvents.record([failedSignIn(login?.user ?? null, client, { by, ...reason })])
    }
    throw error
  }
}

/** Fails with password_sign_in_disabled where people sign in with a provider alone. */
export async function requirePasswords(admin: Pick<AdminPort, 'settings'>): Promise<void> {
  const { 'oauth.disablePassword': isOff } = await admin.settings({})
  if (isOff) throw new AppError('password_sign_in_disabled')
}

/** The others of these refuse somebody whom the directory knows. */
const recordedFailures: readonly ErrorCode[] = [
  'wrong_credentials',
  'account_waiting',
  'directory_account_exists',
  'directory_entry_incomplete',
]

interface Attempt {
  identifier: string
  password: string
  client: Client
  login: Login | null
}

async function proveByDirectory(
  dependencies: SignInDependencies,
  { identifier, password, client, login }: Attempt,
): Promise<SignInOutcome> {
  const { attempts, directoryAccounts } = dependencies
  const who = whoTries(dependencies, {
    account: foldName(login?.matched ?? identifier),
    client,
    login,
  })
  const user = await attempts.signIn({ ...who, isElsewhere: true }, async () => {
    const found = await directoryAccounts.authenticate(identifier, password, client)
    if (!found) throw new AppError('wrong_credentials')
    return found
  })
  const options = { skipsTotp: false, passwordHash: null, by: 'directory' } as const
  const outcome = await letIn(dependencies, user, client, options)
  if (outcome === null) throw new AppError('wrong_credentials')
  return outcome
}

/** What a directory takes for the same name counts as one: it folds spaces, and skips much else. */
function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, '')
    .trim()
    .replace(/\s+/g, ' ')
}

function whoTries(
  { devices }: SignInDependencies,
  { account, client, login }: { account: string; client: Client; login: Login | null },
): SignInAttempt {
  const deviceId = devices.recognise(login?.user.id ?? '', client.deviceToken)
  return { account, address: client.address, deviceId }
}

async function proveByPassword(
  dependencies: SignInDependencies,
  { identifier, password, client, login }: Attempt,
): Promise<SignInOutcome> {
  const { users, passwords, attempts } = dependencies
  // A directory account has no password here, even where an older version gave it one.
  const passwordHash = login?.user.directoryId === null ? login.passwordHash : null
  const who = whoTries(dependencies, { account: login?.matched ?? identifier, client, login })
  await attempts.signIn(who, async () => {
    const isRight = await passwords.verify(passwordHash, password)
    if (!isRight) throw new AppError('wrong_credentials')
  })
  if (!login || passwordHash === null) throw new AppError('wrong_credentials')

  const current = await renewHash({ users, passwords }, login.user.id, passwordHash, password)
  const options = { skipsTotp: false, passwordHash: current, by: 'password' } as const
  const outcome = await letIn(dependencies, login.user, client, options)
  // The password was changed, or the account deleted, while this one was being verified.
  if (outcome === null) throw new AppError('wrong_credentials')
  return outcome
}

interface Entrance {
  passwordHash: string | null
  by: EnteredBy
  provider?: ProviderSession | undefined
}

/** `null` when the user is gone, or has another password than the one that was verified. */
async function letIn(
  dependencies: SignInDependencies,
  user: User,
  client: Client,
  { skipsTotp, passwordHash, by, provider }: { skipsTotp: boolean } & Entrance,
): Promise<SignInOutcome | null> {
  if (hasSecondFactor(user) && !skipsTotp) {
    const { loginTokens, clock } = dependencies
    const { token, hash } = createOpaqueToken()
    const createdAt = clock()
    const expiresAt = new Date(createdAt.getTime() + LOGIN_TOKEN_TTL_MS)
    const row = { hash, userId: user.id, createdAt, expiresAt }
    return (await loginTokens.issue(row, { passwordHash })) ? { loginToken: token } : null
  }
  return startSession(dependencies, user, client, { passwordHash, by, provider })
}

async function startSession(
  { sessions, sessionStore, devices }: SignInDependencies,
  user: User,
  client: Client,
  { passwordHash, by, provider }: Entrance,
): Promise<SignedIn | null> {
  const session = await sessions.prepare(user, client)
  const auditEvent = ownAuditEvent('sign_in.succeeded', user, client, { by })
  const row = { ...session.row, provider }
  if (!(await sessionStore.startSession(row, { passwordHash }, auditEvent))) return null
  return {
    tokens: await session.issueTokens(user),
    deviceToken: devices.issue(user.id, client.deviceToken),
  }
}

/** The hash that stands for the password now: a new one where the parameters were others. */
async function renewHash(
  { users, passwords }: Pick<SignInDependencies, 'users' | 'passwords'>,
  userId: string,
  from: string,
  password: string,
): Promise<string> {
  if (!passwords.needsRehash(from)) return from
  const to = await passwords.hash(password)
  if (await users.replacePasswordHash({ userId, from, to })) return to
  // Another sign-in renewed it first; whether it still stands for this password must be shown.
  const current = await users.findPasswordHash(userId)
  return current !== null && (await passwords.verify(current, password)) ? current : from
}
