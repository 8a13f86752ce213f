import type { SourceUser } from '../source.ts'
import type { Tables } from '../sqlite/tables.ts'
import { amount, date, flag, groupBy, type Row, text, textOrNull } from '../sqlite/values.ts'

/** All accounts; a list of them is small beside that of their shares. */
export function readUsers(tables: Tables, losses: string[]): SourceUser[] {
  const identities = readIdentities(tables, losses)
  const sessions = groupBy(tables.all('RefreshToken'), 'userId')
  return tables.all('User', 'order by "createdAt", "id"').map((row) => {
    const id = text(row, 'id')
    const username = text(row, 'username')
    if (flag(row, 'totpEnabled') && !flag(row, 'totpVerified')) {
      losses.push(`account ${username}: its second factor was never confirmed, and is left out`)
    }
    const dn = textOrNull(row, 'ldapDN')
    if (dn !== null) {
      losses.push(`account ${username} signs in with the LDAP directory, once that is set up here`)
    }
    return {
      id,
      createdAt: date(row, 'createdAt') ?? new Date(0),
      username,
      email: text(row, 'email'),
      // Of an account in a directory, it is that of a random text.
      passwordHash: dn === null ? textOrNull(row, 'password') : null,
      isAdmin: flag(row, 'isAdmin'),
      totpSecret: flag(row, 'totpVerified') ? textOrNull(row, 'totpSecret') : null,
      identities: identities.get(id) ?? [],
      sessions: (sessions.get(id) ?? []).flatMap(toSession),
      storageLimitBytes: amount(row, 'storageQuotaLimit'),
      showsName: true,
      emailStanding: flag(row, 'isActivated', true) ? 'assumed' : 'owed',
      shareSizeLimitBytes: amount(row, 'shareSizeLimit'),
      directoryId: dn === null ? null : `dn:${dn}`,
    }
  })
}

function toSession(row: Row): SourceUser['sessions'] {
  const [createdAt, expiresAt] = [date(row, 'createdAt'), date(row, 'expiresAt')]
  if (createdAt === null || expiresAt === null) return []
  return [{ refreshToken: text(row, 'token'), createdAt, expiresAt }]
}

/** Theirs may be linked to several accounts: the oldest keeps it. */
function readIdentities(tables: Tables, losses: string[]) {
  const seen = new Set<string>()
  const byUser = new Map<string, SourceUser['identities']>()
  const rows = tables.all('OAuthUser', 'order by rowid')
  for (const row of rows) {
    const userId = text(row, 'userId')
    const identity = {
      provider: text(row, 'provider'),
      subject: text(row, 'providerUserId'),
      username: text(row, 'providerUsername'),
    }
    const mine = byUser.get(userId) ?? []
    const key = JSON.stringify([identity.provider, identity.subject])
    if (seen.has(key) || mine.some(({ provider }) => provider === identity.provider)) {
      losses.push(
        `${identity.provider} account ${identity.username} is linked twice: only the first is kept`,
      )
      continue
    }
    seen.add(key)
    byUser.set(userId, [...mine, identity])
  }
  return byUser
}
