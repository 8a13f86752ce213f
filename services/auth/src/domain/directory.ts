import { randomUUID } from 'node:crypto'
import { type AdminPort, type DirectoryTrial, emailSchema, type Settings } from '@floe/contracts'
import { AppError, isAppError } from '@floe/errors'
import { actorOf, ownAuditEvent } from './audit-events.ts'
import { awaitedDn } from './directory-ids.ts'
import { normaliseDn } from './distinguished-names.ts'
import type { SessionStore, UserChanges, UserStore } from './ports.ts'
import type { SecurityLog } from './sessions.ts'
import { deriveUsername } from './social-usernames.ts'
import type { SessionOrigin, User } from './user.ts'

/** A person in the directory. */
export interface DirectoryEntry {
  /** As in directory-ids.ts, of the lasting kind. */
  id: string
  dn: string
  username: string
  email: string | null
  /** DNs. */
  groups: string[]
}

/** The directory, as far as it can be asked. The message is for the log and holds no secret. */
export class DirectoryError extends Error {
  override readonly name = 'DirectoryError'
}

/** Every call fails with DirectoryError when no server gives a response that makes sense. */
export interface Directory {
  /** Whose name and password these are; `null` for nobody's. */
  authenticate(settings: Settings, name: string, password: string): Promise<DirectoryEntry | null>
  /** `null` when the entry is gone, or not among those who may sign in. */
  find(settings: Settings, id: string): Promise<DirectoryEntry | null>
  /**
   * Asks each server, without anybody signing in. Returns one of those who may, or the one whom
   * a sign-in with this name would be; `null` where it would be nobody's.
   */
  tryOut(settings: Settings, name: string | null): Promise<DirectoryEntry | null>
}

export interface NewDirectoryUser {
  id: string
  directoryId: string
  /** A valid username. */
  username: string
  /** It is not the person's own in the directory, so that another serves as well. */
  isUsernameMadeUp: boolean
  email: string
  /** `null` leaves it to whether this is the first user. */
  isAdmin: boolean | null
  createdAt: Date
  origin: SessionOrigin
}

export interface DirectoryStore {
  /** Whose entry this is, also where its account still waits for the first sign-in. */
  findUser(entry: Pick<DirectoryEntry, 'id' | 'dn'>): Promise<User | null>
  /** Replaces the DN that an account waits for, unless another account has the lasting id. */
  join(userId: string, ids: { awaited: string; lasting: string }): Promise<void>
  /**
   * The user of this entry: a new one without a password, unless another request made it first.
   * Fails with directory_account_exists where another account has the name or address.
   */
  createUser(account: NewDirectoryUser): Promise<User>
}

/** Name, address and password of the others are a matter of the directory: directory_account. */
export function assertLocal({ directoryId }: Pick<User, 'directoryId'>): void {
  if (directoryId !== null) throw new AppError('directory_account')
}

/** Accounts of people in the directory: made at their first sign-in, and marked by their entry. */
export interface DirectoryAccounts {
  isEnabled(): Promise<boolean>
  /**
   * `null` where name and password are nobody's. Fails with directory_unavailable,
   * directory_entry_incomplete, directory_account_exists.
   */
  authenticate(name: string, password: string, origin: SessionOrigin): Promise<User | null>
  /**
   * Whether a user whom something else proved may sign in: those the directory knows, and local
   * ones. Fails with directory_unavailable.
   */
  admits(user: User, origin: SessionOrigin): Promise<boolean>
  /**
   * Whether a session may go on; otherwise all of the user have ended. While the directory cannot
   * be asked, or is switched off, it may.
   */
  recheck(user: User, origin: SessionOrigin): Promise<boolean>
  /** Fails with directory_check_incomplete, directory_check_failed, directory_nobody_found. */
  tryOut(name: string | null): Promise<DirectoryTrial>
}

export interface DirectoryDependencies {
  directory: Directory
  directoryStore: DirectoryStore
  users: UserStore
  sessionStore: SessionStore
  admin: Pick<AdminPort, 'settings'>
  log: SecurityLog
  clock: () => Date
}

export function createDirectoryAccounts(dependencies: DirectoryDependencies): DirectoryAccounts {
  const { directory, directoryStore, sessionStore, admin, log, clock } = dependencies

  async function isStillThere(user: User, origin: SessionOrigin): Promise<boolean> {
    const settings = await admin.settings({})
    const { directoryId } = user
    if (directoryId === null) return true
    const entry = await ask(log, () => directory.find(settings, directoryId))
    if (entry) {
      await update(dependencies, { settings, entry, user, origin })
      return true
    }
    const auditEvent = ownAuditEvent('session.all_ended', user, origin, { by: 'directory' })
    await sessionStore.revokeSessionsOf(user.id, { now: clock(), auditEvent })
    return false
  }

  return {
    isEnabled: async () => (await admin.settings({}))['ldap.enabled'],

    async authenticate(name, password, origin) {
      const settings = await admin.settings({})
      const entry = await ask(log, () => directory.authenticate(settings, name, password))
      if (!entry) return null
      const known = await directoryStore.findUser(entry)
      const user = known ?? (await createUser(dependencies, { settings, entry, origin }))
      return known ? update(dependencies, { settings, entry, user, origin }) : user
    },

    async admits(user, origin) {
      if (user.directoryId === null) return true
      return (await admin.settings({}))['ldap.enabled'] && isStillThere(user, origin)
    },

    async recheck(user, origin) {
      if (!(await admin.settings({}))['ldap.enabled']) return true
      try {
        return await isStillThere(user, origin)
      } catch (error) {
        if (isAppError(error, 'directory_unavailable')) return true
        throw error
      }
    },

    async tryOut(name) {
      const settings = await admin.settings({})
      if (!isFilledIn(settings)) throw new AppError('directory_check_incomplete')
      try {
        const found = await directory.tryOut(settings, name)
        if (!found) throw new AppError('directory_nobody_found')
        const { dn: entry, email, groups } = found
        return { entry, email, groups, isAdmin: isAdministrator(settings, found) }
      } catch (error) {
        if (!(error instanceof DirectoryError)) throw error
        const values = { reason: error.message }
        throw new AppError('directory_check_failed', { cause: error, values })
      }
    },
  }
}

/** Where a DN searches, it takes a password to do so: without one a bind proves nothing. */
function isFilledIn(settings: Settings): boolean {
  const isBound = settings['ldap.bindDn'].trim() !== ''
  return (
    settings['ldap.url'].trim() !== '' &&
    settings['ldap.searchBase'].trim() !== '' &&
    (!isBound || settings['ldap.bindPassword'] !== '')
  )
}

async function ask<T>(log: SecurityLog, question: () => Promise<T>): Promise<T> {
  try {
    return await question()
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error
    log.warn({ reason: error.message }, 'directory could not be asked')
    throw new AppError('directory_unavailable', { cause: error })
  }
}

interface Found {
  settings: Settings
  entry: DirectoryEntry
  origin: SessionOrigin
}

async function createUser(
  { directoryStore, clock }: DirectoryDependencies,
  { settings, entry, origin }: Found,
): Promise<User> {
  const email = validEmail(entry)
  if (email === null) throw new AppError('directory_entry_incomplete')
  const username = deriveUsername(entry)
  return directoryStore.createUser({
    id: randomUUID(),
    directoryId: entry.id,
    username,
    isUsernameMadeUp: username.toLowerCase() !== entry.username.toLowerCase(),
    email,
    isAdmin: isAdministrator(settings, entry),
    createdAt: clock(),
    origin,
  })
}

/** What the directory says by now of an account that there is. */
async function update(
  { users, directoryStore, log, clock }: DirectoryDependencies,
  { settings, entry, user, origin }: Found & { user: User },
): Promise<User | null> {
  const awaited = user.directoryId
  if (awaited !== null && awaitedDn(awaited) !== null) {
    await directoryStore.join(user.id, { awaited, lasting: entry.id })
  }
  const email = validEmail(entry)
  const isAdmin = isAdministrator(settings, entry)
  // Each by itself: an address that is taken must not keep anybody an administrator.
  const changes: AdoptedChange[] = [
    ...(isAdmin !== null && isAdmin !== user.isAdmin ? [{ isAdmin }] : []),
    ...(email !== null && (email !== user.email || user.emailStanding !== 'verified')
      ? [{ email, emailStanding: 'verified' as const }]
      : []),
  ]
  let current: User | null = user
  for (const change of changes) {
    try {
      current = await users.changeUser(user.id, {
        ...change,
        now: clock(),
        actor: actorOf(user, origin),
      })
    } catch (error) {
      // The account stays as it was: neither is a reason to keep its user out.
      if (!isAppError(error, 'email_taken') && !isAppError(error, 'last_admin')) throw error
      log.warn({ userId: user.id, code: error.code }, 'account not changed as its directory has it')
    }
  }
  return current
}

type AdoptedChange = Pick<UserChanges, 'isAdmin' | 'email' | 'emailStanding'>

function validEmail({ email }: DirectoryEntry): string | null {
  return emailSchema.safeParse(email?.trim()).data ?? null
}

/** `null` where no group makes administrators. */
function isAdministrator(settings: Settings, { groups }: DirectoryEntry): boolean | null {
  const lines = settings['ldap.adminGroups'].split('\n').map((line) => line.trim())
  const wanted = lines.filter((line) => line !== '').map(normaliseDn)
  if (wanted.length === 0) return null
  const named = new Set(wanted.filter((dn) => dn !== null))
  return groups.map(normaliseDn).some((dn) => dn !== null && named.has(dn))
}
