import type {
  AuditEvent,
  Actor,
  EmailStanding,
  Language,
  SharingExceptions,
  TokenScope,
  UserListQuery,
} from '@floe/contracts'
import type { ProviderSession, ProviderSessionStore } from './provider-sessions.ts'
import type { RefreshTokenState, RefreshVerdict } from './refresh-tokens.ts'
import type { ActiveSession, SessionOrigin, User } from './user.ts'

export interface NewSession {
  id: string
  userId: string
  createdAt: Date
  expiresAt: Date
  client: SessionOrigin
  refreshTokenHash: Buffer
  /** Where it began, if a provider may end it. */
  provider?: ProviderSession | undefined
}

/** For audit events without a change; every change records its own. */
export interface AuditEventStore {
  record(auditEvents: readonly AuditEvent[]): Promise<void>
}

export interface NewAccount {
  id: string
  username: string
  email: string
  passwordHash: string
  createdAt: Date
  session: NewSession
}

/** What asks for a proof of an address: a link is sent there. */
export interface EmailProof {
  id: string
  /** The language of the person who has to give it. */
  language: Language | null
  createdAt: Date
  expiresAt: Date
}

export interface NewUser {
  id: string
  username: string
  email: string
  isAdmin: boolean
  /** `null`: the user is invited to set one. */
  passwordHash: string | null
  /** Bytes, 0 is no limit; `null` leaves it to the setting. */
  storageLimit: number | null
  /** Bytes of one share; as `storageLimit`. */
  shareSizeLimit: number | null
  createdAt: Date
  requestId: string | null
  /** The administrator who adds the user, and their language. */
  actor: Actor
  language: Language | null
}

/** Absent members do not change. */
export interface UserChanges {
  username?: string | undefined
  email?: string | undefined
  isAdmin?: boolean | undefined
  passwordHash?: string | undefined
  storageLimit?: number | null | undefined
  shareSizeLimit?: number | null | undefined
  sharingExceptions?: SharingExceptions | undefined
  showsName?: boolean | undefined
  emailStanding?: EmailStanding | undefined
  isWaiting?: false | undefined
  now: Date
  /** The administrator or user who makes the change. */
  actor: Actor
}

export interface Login {
  user: User
  passwordHash: string | null
  /** The name or address that was meant, as the account spells it. */
  matched: string
}

/** Each change records its audit events in the same transaction. */
export interface UserStore {
  hasUsers(): Promise<boolean>
  /**
   * Adds user, credentials and session together. The first user becomes the administrator and
   * needs neither open registration nor a proof of the address. Fails with registration_disabled,
   * username_taken, email_taken.
   */
  createAccount(
    account: NewAccount,
    options: {
      isRegistrationOpen: boolean
      needsApproval?: boolean
      emailProof?: EmailProof | null
    },
  ): Promise<User>
  /** Records `user.invited` for one without a password. Fails with username_taken, email_taken. */
  addUser(user: NewUser): Promise<User>
  /** Text with an @ is an e-mail address, any other a username; upper and lower case are equal. */
  findLogin(identifier: string): Promise<Login | null>
  findPasswordHash(userId: string): Promise<string | null>
  findUsers(ids: readonly string[]): Promise<User[]>
  /** The oldest first unless told otherwise, and how many match in all. */
  listUsers(query: UserListQuery): Promise<{ users: User[]; total: number }>
  countUsers(): Promise<number>
  /** But for those who still owe a proof of their address. */
  listAdministrators(): Promise<Pick<User, 'id' | 'email'>[]>
  /** Ids of those whose name or address contains the text. */
  searchUsers(text: string, limit: number): Promise<string[]>
  /**
   * `null` when the user is gone. A new password, and the loss of admin rights, end the user's
   * sessions; a new password or address ends the links sent before, and a pending change of address.
   * Fails with username_taken, email_taken, last_admin.
   */
  changeUser(userId: string, changes: UserChanges): Promise<User | null>
  /** The first password of an account; nothing where there is one, or no account. */
  addPassword(userId: string, passwordHash: string): Promise<void>
  /** Replaces the hash only while it is still `from`; returns whether it did. */
  replacePasswordHash(change: { userId: string; from: string; to: string }): Promise<boolean>
  /**
   * Deletes the user with all sessions and records `user.deleted`; `null` when already gone.
   * Fails with last_admin; `mayBeLastUser` lets the last administrator go who is alone.
   */
  deleteUser(
    userId: string,
    options: {
      requestId: string | null
      mayBeLastUser: boolean
      actor: Actor
      language: Language | null
    },
  ): Promise<User | null>
}

export interface PasswordChange {
  userId: string
  /** The verified password hash; `null` for an account without a password. */
  from: string | null
  to: string
  /** Takes the place of every session before it. */
  session: NewSession
  now: Date
  auditEvent: AuditEvent
}

export type Rotation =
  | { outcome: 'rotated'; session: { sessionId: string; user: User; expiresInMs: number } }
  | { outcome: 'refused' }
  | { outcome: 'reused'; sessionId: string; userId: string }

export interface SessionSummary {
  id: string
  userAgent: string
  clientAddress: string
  createdAt: Date
  lastUsedAt: Date
}

/** The verified password hash, which must still be the stored one; `null` for any. */
export interface Entitlement {
  passwordHash: string | null
}

export interface SessionStore extends ProviderSessionStore {
  /** `false` when the user is gone, or has another password by now. */
  startSession(
    session: NewSession,
    entitlement: Entitlement,
    auditEvent: AuditEvent,
  ): Promise<boolean>
  findActiveSession(key: {
    sessionId: string
    userId: string
    now: Date
  }): Promise<ActiveSession | null>
  /** Those alive, the latest used first. */
  listSessions(userId: string, now: Date): Promise<SessionSummary[]>
  /** Whose session it is, if it is alive and its user comes from the directory. */
  findDirectoryUserOfToken(tokenHash: Buffer, now: Date): Promise<User | null>
  /** One token is judged by one request at a time. `reused` has already ended the session. */
  rotateRefreshToken(rotation: {
    tokenHash: Buffer
    nextTokenHash: Buffer
    now: Date
    /** From now on, if it is not used again. */
    unusedMs: number
    /** From when somebody signed in; may be infinite. */
    longestMs: number
    judge: (state: RefreshTokenState, now: Date) => RefreshVerdict
    origin: SessionOrigin
  }): Promise<Rotation>
  /** Returns whether the password was still `from`; only then are the sessions replaced. */
  changePassword(change: PasswordChange): Promise<boolean>
  revokeSession(sessionId: string, now: Date): Promise<void>
  /** `false` unless the user had such a session alive. */
  revokeOwnSession(key: {
    sessionId: string
    userId: string
    now: Date
    auditEvent: AuditEvent
  }): Promise<boolean>
  /** Sign-ins that wait for their second step end too. */
  revokeSessionsOf(userId: string, options: { now: Date; auditEvent: AuditEvent }): Promise<void>
  revokeSessionOfToken(tokenHash: Buffer, now: Date): Promise<void>
  purge(limits: { endedBefore: Date; replacedBefore: Date }): Promise<void>
}

export interface TotpState {
  sealedSecret: Buffer
  isVerified: boolean
  lastTimeStep: number | null
}

/** A code that was recognised, and still has to be used up: each counts once. */
export type SecondFactor = { timeStep: number } | { codeHash: Buffer }

export interface TotpStore {
  find(userId: string): Promise<TotpState | null>
  /** Replaces a secret that was never verified; `false` when one is. */
  begin(userId: string, sealedSecret: Buffer): Promise<boolean>
  /** `false` unless this very secret is still to be verified. */
  verify(verification: {
    userId: string
    sealedSecret: Buffer
    timeStep: number
    now: Date
    auditEvent: AuditEvent
  }): Promise<boolean>
  /** `false` when the factor was used up meanwhile. */
  use(userId: string, factor: SecondFactor, now: Date): Promise<boolean>
  /** Recovery codes too; `false` when the factor was used up meanwhile. */
  remove(
    userId: string,
    options: { factor: SecondFactor; now: Date; auditEvent: AuditEvent },
  ): Promise<boolean>
  /** Earlier codes go. The factor may be `null` only for the first ones. */
  replaceRecoveryCodes(
    userId: string,
    change: {
      factor: SecondFactor | null
      codeHashes: readonly Buffer[]
      now: Date
      auditEvent: AuditEvent
    },
  ): Promise<'replaced' | 'not_enabled' | 'code_refused'>
}

export interface LoginTokenState {
  userId: string
  expiresAt: Date
  usedAt: Date | null
  tries: number
}

/** Tokens between the two steps of a sign-in. */
export interface LoginTokenStore {
  /** `false` when the user is gone, or has another password by now. */
  issue(
    token: { hash: Buffer; userId: string; createdAt: Date; expiresAt: Date },
    entitlement: Entitlement,
  ): Promise<boolean>
  find(hash: Buffer): Promise<LoginTokenState | null>
  /** `false` when it is used up, expired, or was tried `maxTries` times. */
  countTry(hash: Buffer, options: { now: Date; maxTries: number }): Promise<boolean>
  /** Uses token and factor up and starts the session: all, or nothing. */
  complete(login: {
    tokenHash: Buffer
    factor: SecondFactor
    session: NewSession
    now: Date
    auditEvent: AuditEvent
  }): Promise<'completed' | 'code_refused' | 'token_refused'>
}

export interface EmailChange {
  id: string
  oldEmail: string
  newEmail: string
  /** The language of the person who asked. */
  language: Language | null
}

/** `username` and `showsName` are changed at once, if they are there. */
export interface NewEmailChange
  extends Omit<EmailChange, 'oldEmail'>, Pick<UserChanges, 'username' | 'showsName'> {
  userId: string
  createdAt: Date
  expiresAt: Date
  actor: Actor
}

/** Addresses that count once they were confirmed: at most one for each user. */
export interface EmailChangeStore {
  /**
   * Takes the place of an earlier one and records `email-change.requested`. `null` when the user is
   * gone. Fails with username_taken, email_taken.
   */
  request(change: NewEmailChange): Promise<User | null>
  /** `false` unless the user still owes a proof of the address. */
  requestProof(userId: string, proof: EmailProof): Promise<boolean>
  /** Also one that has ended. */
  find(id: string): Promise<EmailChange | null>
  findPending(userId: string, now: Date): Promise<string | null>
  /** An earlier link of the change ends; `false` unless the change is pending. */
  attachLink(id: string, link: { tokenHash: Buffer; now: Date }): Promise<boolean>
  /** Uses the link up and makes the change; `false` unless it is pending. Fails with email_taken. */
  confirm(link: { tokenHash: Buffer; now: Date; origin: SessionOrigin }): Promise<boolean>
  purge(expiredBefore: Date): Promise<void>
}

export interface NewLink {
  hash: Buffer
  userId: string
  purpose: 'password-reset' | 'invite'
  createdAt: Date
  expiresAt: Date
}

/** Links in messages that let their reader set a password. */
export interface LinkStore {
  /** Records `password-reset.requested` with it. */
  recordRequest(
    request: { id: string; email: string; language: Language | null; createdAt: Date },
    requestId: string | null,
  ): Promise<void>
  /** The address as it was typed, and the language of its owner. */
  findRequest(id: string): Promise<{ email: string; language: Language | null } | null>
  forgetRequest(id: string): Promise<void>
  /** `false` when the user is gone, or has got `maxRecent` of this purpose since then. */
  issue(link: NewLink, limit?: { maxRecent: number; recentSince: Date }): Promise<boolean>
  /** Removes it as if it had never been issued. */
  withdraw(hash: Buffer): Promise<void>
  isOpen(hash: Buffer, now: Date): Promise<boolean>
  /**
   * Uses the link up, sets the password, and ends every session and every other token of the user.
   * The user as before it; `null` unless the link was still open.
   */
  resetPassword(reset: {
    tokenHash: Buffer
    passwordHash: string
    now: Date
    origin: SessionOrigin
  }): Promise<User | null>
  /** Tokens of every kind, and requests without a response. */
  purge(limits: { endedBefore: Date; requestedBefore: Date }): Promise<void>
}

/** What is told of a token for scripts. */
export interface TokenSummary {
  id: string
  name: string
  /** Its first characters. */
  prefix: string
  scopes: TokenScope[]
  /** Addresses and CIDR ranges; empty is everywhere. */
  networks: string[]
  maxShareBytes: number | null
  /** As it was chosen, such as `7-days`. */
  maxExpiration: string | null
  createdAt: Date
  expiresAt: Date | null
  lastUse: { at: Date; address: string; userAgent: string } | null
}

export interface NewToken extends Omit<TokenSummary, 'lastUse'> {
  userId: string
  hash: Buffer
  auditEvent: AuditEvent
}

/** A token that may be used, with its owner as stored right now. */
export interface StoredToken extends Pick<
  TokenSummary,
  'id' | 'scopes' | 'maxShareBytes' | 'maxExpiration' | 'createdAt'
> {
  user: User
}

/** Tokens for scripts. They go with their owner. */
export interface ApiTokenStore {
  /** `false` when the user is gone, or has `most` already. */
  insert(token: NewToken, most: number): Promise<boolean>
  /** `null` unless it lives, and may be used from there; any address is asked for by `null`. */
  find(key: { hash: Buffer; now: Date; clientAddress: string | null }): Promise<StoredToken | null>
  /** Once a minute at most. */
  noteUse(use: { id: string; at: Date; address: string; userAgent: string }): Promise<void>
  /** The newest first, those that expired included. */
  list(userId: string): Promise<TokenSummary[]>
  /** `false` when there is none of this owner; `null` is any. Records `token.revoked`. */
  revoke(key: { id: string; ownerId: string | null; actor: Actor }): Promise<boolean>
}
