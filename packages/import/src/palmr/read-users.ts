import { isArgon2id, NO_PASSWORD } from '../passwords.ts'
import type { SourceUser } from '../source.ts'
import type { Tables } from '../sqlite/tables.ts'
import { date, flag, groupBy, type Row, text, textOrNull } from '../sqlite/values.ts'

const base32 = /^[A-Z2-7]{16,}=*$/

/** All accounts but those that were deactivated: what they have comes without an owner. */
export function readUsers(tables: Tables, losses: string[]): SourceUser[] {
  const identities = groupBy(tables.all('user_auth_providers'), 'userId')
  return tables.all('users', 'order by "createdAt", "id"').flatMap((row) => {
    const [id, username] = [text(row, 'id'), text(row, 'username')]
    if (!flag(row, 'isActive', true)) {
      losses.push(
        `account ${username} was deactivated, and is left out; what it has comes without an owner`,
      )
      return []
    }
    if (identities.has(id)) {
      losses.push(`account ${username}: its sign-ins through providers are left out`)
    }
    const passwordHash = textOrNull(row, 'password')
    const isUsable = passwordHash !== null && isArgon2id(passwordHash)
    if (!isUsable) {
      losses.push(
        passwordHash === null
          ? `account ${username}: ${NO_PASSWORD}`
          : `account ${username} has a bcrypt hash, which is not verified here: ${NO_PASSWORD}`,
      )
    }
    return {
      id,
      createdAt: date(row, 'createdAt') ?? new Date(0),
      username,
      email: text(row, 'email'),
      passwordHash: isUsable ? passwordHash : null,
      isAdmin: flag(row, 'isAdmin'),
      totpSecret: readSecret(row, username, losses),
      identities: [],
      sessions: [],
      storageLimitBytes: null,
      showsName: true,
      emailStanding: 'assumed' as const,
      shareSizeLimitBytes: null,
      directoryId: null,
    }
  })
}

function readSecret(row: Row, username: string, losses: string[]): string | null {
  if (!flag(row, 'twoFactorEnabled') || !flag(row, 'twoFactorVerified')) return null
  const secret = textOrNull(row, 'twoFactorSecret')
  if (secret !== null && base32.test(secret)) return secret
  losses.push(`account ${username}: its second factor cannot be read, and is left out`)
  return null
}
