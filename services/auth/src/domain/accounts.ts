import { randomUUID } from 'node:crypto'
import type { AdminPort, ChangePasswordInput, SignInInput, SignUpInput } from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { Passwords } from '@floe/passwords'
import type { AccessTokens } from './access-tokens.ts'
import type { SessionStore, UserChanges, UserStore } from './ports.ts'
import { createRefreshToken } from './refresh-tokens.ts'
import type { Sessions, SessionTokens } from './sessions.ts'
import type { ActiveSession, Client, User } from './user.ts'

export interface Accounts {
  /** Fails with registration_disabled, username_taken, email_taken. */
  signUp(input: SignUpInput, client: Client): Promise<SessionTokens & { user: User }>
  /** Fails with wrong_credentials, in the same time whether or not the account exists. */
  signIn(input: SignInInput, client: Client): Promise<SessionTokens>
  /** Every other session of the user ends. Fails with wrong_password. */
  changePassword(session: ActiveSession, input: ChangePasswordInput): Promise<SessionTokens>
  /** Fails with username_taken, email_taken, forbidden (user gone meanwhile). */
  updateUser(userId: string, changes: UserChanges): Promise<User>
  /** Fails with last_admin, forbidden (user gone meanwhile). */
  deleteUser(userId: string, requestId: string | null): Promise<User>
  findUsers(ids: readonly string[]): Promise<User[]>
}

export interface AccountsDependencies {
  users: UserStore
  sessionStore: SessionStore
  sessions: Sessions
  passwords: Passwords
  accessTokens: AccessTokens
  admin: AdminPort
  clock: () => Date
}

export function createAccounts(dependencies: AccountsDependencies): Accounts {
  const { users } = dependencies
  return {
    signUp: (input, client) => signUp(dependencies, input, client),
    signIn: (input, client) => signIn(dependencies, input, client),
    changePassword: (session, input) => changePassword(dependencies, session, input),
    updateUser: async (userId, changes) => present(await users.updateUser(userId, changes)),
    deleteUser: async (userId, requestId) => present(await users.deleteUser(userId, requestId)),
    findUsers: (ids) => users.findUsers(ids),
  }
}

async function signUp(
  { users, sessions, passwords, admin, clock }: AccountsDependencies,
  { username, email, password }: SignUpInput,
  client: Client,
): Promise<SessionTokens & { user: User }> {
  const { 'share.allowRegistration': isRegistrationOpen } = await admin.settings({})
  // Looked up ahead of hashing, so that closed registration costs a stranger's request nothing;
  // the store decides again under its lock.
  if (!isRegistrationOpen && (await users.hasUsers())) throw new AppError('registration_disabled')
  const id = randomUUID()
  const passwordHash = await passwords.hash(password)
  const session = sessions.prepare(id, client)
  const user = await users.createAccount(
    { id, username, email, passwordHash, createdAt: clock(), session: session.row },
    { isRegistrationOpen },
  )
  return { ...(await session.issueTokens(user)), user }
}

async function signIn(
  { users, sessionStore, sessions, passwords }: AccountsDependencies,
  { email, username, password }: SignInInput,
  client: Client,
): Promise<SessionTokens> {
  const login = await users.findLogin(email ?? username ?? '')
  const passwordHash = login?.passwordHash ?? null
  const isRight = await passwords.verify(passwordHash, password)
  if (!isRight || !login || passwordHash === null) throw new AppError('wrong_credentials')

  const session = sessions.prepare(login.user.id, client)
  const current = await renewHash({ users, passwords }, login.user.id, passwordHash, password)
  const started = await sessionStore.startSession(session.row, { passwordHash: current })
  // The password was changed, or the account deleted, while this one was being verified.
  if (!started) throw new AppError('wrong_credentials')
  return session.issueTokens(login.user)
}

/** The hash that stands for the password now: a new one where the parameters were others. */
async function renewHash(
  { users, passwords }: Pick<AccountsDependencies, 'users' | 'passwords'>,
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

async function changePassword(
  { users, sessionStore, passwords, accessTokens, clock }: AccountsDependencies,
  { sessionId, user }: ActiveSession,
  { oldPassword, password }: ChangePasswordInput,
): Promise<SessionTokens> {
  const from = await users.findPasswordHash(user.id)
  if (from !== null && !(await passwords.verify(from, oldPassword ?? ''))) {
    throw new AppError('wrong_password')
  }
  const to = await passwords.hash(password)
  const { token: refreshToken, hash: refreshTokenHash } = createRefreshToken()
  const change = { userId: user.id, from, to, sessionId, refreshTokenHash, now: clock() }
  if (!(await sessionStore.changePassword(change))) throw new AppError('wrong_password')
  return { accessToken: await accessTokens.sign(user, sessionId), refreshToken }
}

function present(user: User | null): User {
  if (user === null) throw new AppError('forbidden')
  return user
}
