import {
  findAccounts,
  findDirectoryIds,
  type ImportedAccount,
  isImportableProvider,
  normaliseDirectoryId,
} from '@floe/auth'
import type { Knex } from '@floe/db'
import { keepUuid, NO_PASSWORD, type SourceUser } from '@floe/import'
import type { Resolution } from './read-options.ts'

export interface AccountPlan {
  /** As they come; those that are here already are among them. */
  accounts: ImportedAccount[]
  /** Id here by id there; null for an account that does not come. */
  owners: Map<string, string | null>
  conflicts: string[]
  losses: string[]
}

interface MapAccountsOptions {
  knex: Knex
  users: readonly SourceUser[]
  onConflict: Resolution | null
  issuerOf: (provider: string) => string | null
}

interface Taken {
  id: string
  username: string
  email: string
}

/** Decides for each account what it is here. Names and addresses count without regard to case. */
export async function mapAccounts(options: MapAccountsOptions): Promise<AccountPlan> {
  const { knex, users, onConflict } = options
  const names = users.flatMap(({ username, email }) => [username, email])
  const taken = await findAccounts(knex, names)
  const wanted = users.flatMap(({ directoryId }) => normalised(directoryId) ?? [])
  const takenIds = new Set(await findDirectoryIds(knex, wanted))
  const plan: AccountPlan = { accounts: [], owners: new Map(), conflicts: [], losses: [] }
  for (const user of users) {
    const id = keepUuid(user.id, 'account')
    if (taken.some((one) => one.id === id)) {
      plan.owners.set(user.id, id)
      continue
    }
    const byEmail = taken.find(({ email }) => isSame(email, user.email))
    const byName = taken.find(({ username }) => isSame(username, user.username))
    if (byEmail) {
      plan.conflicts.push(
        `account ${user.username}: ${user.email} is the address of an account here`,
      )
      plan.losses.push(
        `account ${user.username} is left out: what it has belongs to ${byEmail.username} here`,
      )
      plan.owners.set(user.id, byEmail.id)
      continue
    }
    if (byName) {
      plan.conflicts.push(`account ${user.username}: an account here has this name`)
      if (onConflict !== 'rename') {
        plan.losses.push(
          `account ${user.username} is left out, and what it has comes without an owner`,
        )
        plan.owners.set(user.id, null)
        continue
      }
    }
    const username = byName ? findFreeName(user.username, taken) : user.username
    if (byName) plan.losses.push(`account ${user.username} is called ${username} here`)
    const directoryId = takeDirectoryId(user, takenIds, plan.losses)
    plan.accounts.push(toAccount(user, { id, username, directoryId }, options, plan.losses))
    plan.owners.set(user.id, id)
    taken.push({ id, username, email: user.email })
  }
  return plan
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

function findFreeName(wanted: string, taken: readonly Taken[]): string {
  for (let number = 2; ; number += 1) {
    const name = `${wanted}-${number}`
    if (!taken.some(({ username }) => isSame(username, name))) return name
  }
}

const normalised = (id: string | null) => (id === null ? null : normaliseDirectoryId(id))

/** The account's own: two accounts of one entry would leave open whose sign-in it is. */
function takeDirectoryId(
  { username, directoryId }: SourceUser,
  taken: Set<string>,
  losses: string[],
): string | null {
  if (directoryId === null) return null
  const id = normaliseDirectoryId(directoryId)
  if (id === null || taken.has(id)) {
    const reason = id === null ? 'is none' : 'has an account here'
    losses.push(`account ${username}: its entry of the directory ${reason}: ${NO_PASSWORD}`)
    return null
  }
  taken.add(id)
  return id
}

function toAccount(
  user: SourceUser,
  known: Pick<ImportedAccount, 'id' | 'username' | 'directoryId'>,
  { issuerOf }: MapAccountsOptions,
  losses: string[],
): ImportedAccount {
  const identities = user.identities.flatMap(({ provider, subject, username: name, ...rest }) => {
    const issuer = rest.issuer ?? issuerOf(provider)
    // The directory alone lets its people in: what closes there must not stay open here.
    const isOpen = known.directoryId === null
    if (isOpen && isImportableProvider(provider) && issuer !== null) {
      return [{ provider, issuer, subject, username: name }]
    }
    losses.push(`account ${user.username}: sign-in with ${provider} is left out`)
    return []
  })
  return {
    ...{ ...user, ...known, identities },
    storageLimit: user.storageLimitBytes,
    shareSizeLimit: user.shareSizeLimitBytes,
  }
}
