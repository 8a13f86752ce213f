import type { RefreshVerdict, RefreshTokenState } from './refresh-tokens.ts'
import type { ActiveSession, Client, User } from './user.ts'

export interface NewSession {
  id: string
  userId: string
  createdAt: Date
  expiresAt: Date
  client: Client
  refreshTokenHash: Buffer
}

export interface NewAccount {
  id: string
  username: string
  email: string
  passwordHash: string
  createdAt: Date
  session: NewSession
}

export interface UserChanges {
  username?: string | undefined
  email?: string | undefined
}

export interface UserStore {
  hasUsers(): Promise<boolean>
  /**
   * Adds user, credentials and session together. Whoever is first becomes the administrator and
   * needs no open registration. Fails with registration_disabled, username_taken, email_taken.
   */
  createAccount(account: NewAccount, options: { isRegistrationOpen: boolean }): Promise<User>
  /** Text with an @ is an e-mail address, any other a username; upper and lower case are equal. */
  findLogin(identifier: string): Promise<{ user: User; passwordHash: string | null } | null>
  findPasswordHash(userId: string): Promise<string | null>
  findUsers(ids: readonly string[]): Promise<User[]>
  /** `null` when the user is gone. Fails with username_taken, email_taken. */
  updateUser(userId: string, changes: UserChanges): Promise<User | null>
  /** Replaces the hash only while it is still `from`; says whether it did. */
  replacePasswordHash(change: { userId: string; from: string; to: string }): Promise<boolean>
  /**
   * Deletes the user with all sessions and records `user.deleted`; `null` when already gone.
   * Fails with last_admin.
   */
  deleteUser(userId: string, requestId: string | null): Promise<User | null>
}

export interface PasswordChange {
  userId: string
  /** What was verified; `null` for an account without a password. */
  from: string | null
  to: string
  /** The session that stays; it gets one new refresh token and loses the others. */
  sessionId: string
  refreshTokenHash: Buffer
  now: Date
}

export type Rotation =
  | { outcome: 'rotated'; session: ActiveSession }
  | { outcome: 'refused' }
  | { outcome: 'reused'; sessionId: string; userId: string }

export interface SessionStore {
  /** Starts the session only while the password is still the one that was verified. */
  startSession(session: NewSession, options: { passwordHash: string }): Promise<boolean>
  findActiveSession(key: {
    sessionId: string
    userId: string
    now: Date
  }): Promise<ActiveSession | null>
  /** One token is judged by one request at a time. `reused` has already ended the session. */
  rotateRefreshToken(rotation: {
    tokenHash: Buffer
    nextTokenHash: Buffer
    now: Date
    judge: (state: RefreshTokenState, now: Date) => RefreshVerdict
  }): Promise<Rotation>
  /** Says whether the password was still `from`; only then are the other sessions ended. */
  changePassword(change: PasswordChange): Promise<boolean>
  revokeSession(sessionId: string, now: Date): Promise<void>
  revokeSessionOfToken(tokenHash: Buffer, now: Date): Promise<void>
  purge(limits: { endedBefore: Date; replacedBefore: Date }): Promise<void>
}
