import { randomUUID } from 'node:crypto'
import type {
  Actor,
  AdminPort,
  CreateUserInput,
  Language,
  UpdateUserInput,
  UserListQuery,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { Passwords } from '@floe/secrets'
import { assertLocal } from './directory.ts'
import type { UserStore } from './ports.ts'
import type { User } from './user.ts'

const MOST_FOUND = 1_000

/** Whose request it is. */
export interface Cause {
  actor: Actor
  requestId: string | null
  /** The language of the administrator who asks. */
  language: Language | null
}

export interface Users {
  /** The users of these ids that exist, in any order. */
  find(ids: readonly string[]): Promise<User[]>
  /** Fails with last_admin while there are other users, forbidden (user gone meanwhile). */
  deleteOwn(userId: string, by: Cause): Promise<User>

  /** Everybody, the oldest first, unless the query narrows it down; how many match in all. */
  list(query: UserListQuery): Promise<{ users: User[]; total: number }>
  count(): Promise<number>
  /** Those who may be written to. */
  listAdministrators(): Promise<Pick<User, 'id' | 'email'>[]>
  /** Ids of those whose name or address contains the text, a thousand at most. */
  search(text: string): Promise<string[]>
  /**
   * Without a password the user is invited. Fails with username_taken, email_taken, smtp_disabled,
   * password_too_short, password_too_common.
   */
  create(input: CreateUserInput, by: Cause): Promise<User>
  /**
   * A new password, and the loss of admin rights, end every session of the user.
   * Fails with user_not_found, username_taken, email_taken, last_admin, password_too_short,
   * password_too_common, directory_account (for a password or an address).
   */
  update(userId: string, changes: UpdateUserInput, actor: Actor): Promise<User>
  /** Fails with user_not_found, last_admin. */
  delete(userId: string, by: Cause): Promise<User>
}

export interface UsersDependencies {
  users: UserStore
  passwords: Passwords
  admin: AdminPort
  clock: () => Date
}

export function createUsers({ users, passwords, admin, clock }: UsersDependencies): Users {
  return {
    find: (ids) => users.findUsers(ids),

    async deleteOwn(userId, by) {
      const user = await users.deleteUser(userId, { ...by, mayBeLastUser: true })
      if (!user) throw new AppError('forbidden')
      return user
    },

    list: (query) => users.listUsers(query),

    count: () => users.countUsers(),

    listAdministrators: () => users.listAdministrators(),

    search: (text) => users.searchUsers(text, MOST_FOUND),

    async create({ password, ...input }, by) {
      const { 'smtp.enabled': canInvite } = await admin.settings({})
      if (password === undefined && !canInvite) throw new AppError('smtp_disabled')
      const passwordHash = password === undefined ? null : await passwords.hashForAccount(password)
      const account = { id: randomUUID(), ...input, passwordHash }
      return users.addUser({ ...account, createdAt: clock(), ...by })
    },

    async update(userId, { password, ...input }, actor) {
      // Ahead of hashing: ids that nobody has cost nothing.
      const [existing] = await users.findUsers([userId])
      if (!existing) throw new AppError('user_not_found')
      const isMoving = input.email !== undefined && input.email !== existing.email
      if (password !== undefined || isMoving) assertLocal(existing)
      const passwordHash =
        password === undefined ? undefined : await passwords.hashForAccount(password)
      const changes = { ...input, passwordHash, now: clock(), actor }
      const user = await users.changeUser(userId, {
        ...changes,
        ...(input.email !== undefined && { emailStanding: 'verified' }),
      })
      if (!user) throw new AppError('user_not_found')
      return user
    },

    async delete(userId, by) {
      const user = await users.deleteUser(userId, { ...by, language: null, mayBeLastUser: false })
      if (!user) throw new AppError('user_not_found')
      return user
    },
  }
}
