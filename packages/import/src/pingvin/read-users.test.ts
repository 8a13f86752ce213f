import { expect, test } from 'vitest'
import { usePingvin } from '../testing/read-pingvin.ts'

const { read } = usePingvin()

const MADE = 1_700_000_000_123
const user = { createdAt: MADE, updatedAt: MADE, password: '$argon2id$of-a-random-text' }

test('accounts of a directory come with their DN instead of a password, which is told', async () => {
  const User = [
    { ...user, id: '1', username: 'ann', email: 'ann@example.org' },
    { ...user, id: '2', username: 'ben', email: 'ben@example.org', ldapDN: 'uid=ben,dc=example' },
  ]
  const rows = {
    User,
    RefreshToken: User.map(({ id }) => ({
      ...{ id, token: id, createdAt: MADE, expiresAt: MADE + 1, userId: id },
    })),
    OAuthUser: User.map(({ id }) => ({
      ...{ id, provider: 'github', providerUserId: id, providerUsername: id, userId: id },
    })),
  }
  await read({ version: 'X', rows }, (source) => {
    expect(
      source
        .users()
        .map(({ username, passwordHash, directoryId, sessions, identities }) => [
          username,
          passwordHash,
          directoryId,
          sessions.length,
          identities.length,
        ]),
    ).toEqual([
      ['ann', user.password, null, 1, 1],
      ['ben', null, 'dn:uid=ben,dc=example', 1, 1],
    ])
    expect(source.losses()).toEqual([
      'account ben signs in with the LDAP directory, once that is set up here',
    ])
  })
})
