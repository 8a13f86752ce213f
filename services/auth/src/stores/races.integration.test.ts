import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { NewAccount, NewSession } from '../domain/ports.ts'
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts'
import { createLinkStore } from './link-store.ts'
import { createLoginTokenStore } from './login-token-store.ts'
import { createSessionStore } from './session-store.ts'
import { createTotpStore } from './totp-store.ts'
import { createUserStore } from './user-store.ts'

// Straight at the stores: hashing lets requests through two at a time and would hide the races.

let server: AuthServer
beforeEach(async () => {
  server = await startAuthServer()
})
afterEach(() => server.close())

const now = new Date('2026-01-01T00:00:00Z')

function makeSession(userId: string): NewSession {
  return {
    id: randomUUID(),
    userId,
    createdAt: now,
    expiresAt: new Date('2026-04-01T00:00:00Z'),
    client: { address: '127.0.0.1', userAgent: 'test' },
    refreshTokenHash: randomBytes(32),
  }
}

function makeAccount(): NewAccount {
  const id = randomUUID()
  const email = `${id}@example.org`
  const passwordHash = 'old hash'
  return { id, username: id, email, passwordHash, createdAt: now, session: makeSession(id) }
}

const origin = { address: '127.0.0.1', userAgent: 'test' }
const actor = { id: null, name: null, ...origin }
const auditEvent = { action: 'user.updated', actor, target: null } as const
const byItself = { requestId: null, language: null, mayBeLastUser: true, actor }
const admins = () => server.database.knex('users').where({ is_admin: true })

test('of many first accounts written at once exactly one is the administrator', async () => {
  const { knex } = server.database
  const users = createUserStore(server.database)
  const barrier = await knex.transaction()
  await barrier.raw('lock table users in share mode')
  const writing = Array.from({ length: 6 }, () =>
    users.createAccount(makeAccount(), { isRegistrationOpen: true }),
  )
  // All of them have begun and none could write: one that looks before it holds the lock sees nobody.
  await vi.waitFor(async () => expect(await countWaiting()).toBe(6), 10_000)
  await barrier.commit()
  await Promise.all(writing)
  await expect(knex('users')).resolves.toHaveLength(6)
  await expect(admins()).resolves.toHaveLength(1)
})

async function countWaiting(): Promise<number> {
  const rows = await server.database
    .knex('pg_stat_activity')
    .whereRaw(`datname = current_database() and wait_event_type = 'Lock'`)
  return rows.length
}

test('administrators who leave at once never leave users without one', async () => {
  const users = createUserStore(server.database)
  const accounts = Array.from({ length: 6 }, makeAccount)
  for (const account of accounts) await users.createAccount(account, { isRegistrationOpen: true })
  await server.database.knex('users').update({ is_admin: true })
  await users.createAccount(makeAccount(), { isRegistrationOpen: true })
  const results = await Promise.allSettled(accounts.map(({ id }) => users.deleteUser(id, byItself)))
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  await expect(admins()).resolves.toHaveLength(1)
})

test('no session starts for a password that was replaced meanwhile', async () => {
  const account = makeAccount()
  await createUserStore(server.database).createAccount(account, { isRegistrationOpen: true })
  const sessions = createSessionStore(server.database)
  const changed = await sessions.changePassword({
    userId: account.id,
    from: 'old hash',
    to: 'new hash',
    session: makeSession(account.id),
    now,
    auditEvent,
  })
  expect(changed).toBe(true)
  const start = (passwordHash: string) =>
    sessions.startSession(makeSession(account.id), { passwordHash }, auditEvent)
  await expect(start('old hash')).resolves.toBe(false)
  const alive = server.database.knex('sessions').whereNull('revoked_at')
  await expect(alive).resolves.toHaveLength(1)
  await expect(start('new hash')).resolves.toBe(true)
})

test('sessions that start during a password change end with it, without deadlock', async () => {
  const account = makeAccount()
  await createUserStore(server.database).createAccount(account, { isRegistrationOpen: true })
  const sessions = createSessionStore(server.database)
  const starts = Array.from({ length: 20 }, () =>
    sessions.startSession(makeSession(account.id), { passwordHash: 'old hash' }, auditEvent),
  )
  const session = makeSession(account.id)
  const change = {
    userId: account.id,
    from: 'old hash',
    to: 'new hash',
    session,
    now,
    auditEvent,
  }
  await Promise.all([...starts, sessions.changePassword(change)])
  const alive = await server.database.knex('sessions').whereNull('revoked_at')
  expect(alive.map(({ id }) => id)).toEqual([session.id])
})

test('password resets, sign-ins, demotions and second steps of one user never deadlock', async () => {
  const { database } = server
  const [first, account] = [makeAccount(), makeAccount()]
  const users = createUserStore(database)
  for (const each of [first, account]) {
    await users.createAccount(each, { isRegistrationOpen: true })
  }
  const userId = account.id
  const sessions = createSessionStore(database)
  const links = createLinkStore(database)
  const loginTokens = createLoginTokenStore(database)
  const totp = createTotpStore(database)
  await totp.begin(userId, Buffer.from('secret'))
  await totp.verify({ userId, sealedSecret: Buffer.from('secret'), timeStep: 0, now, auditEvent })

  const expiresAt = new Date('2026-01-02T00:00:00Z')
  const work = Array.from({ length: 10 }, async (_, index) => {
    const login = { hash: randomBytes(32), userId, createdAt: now, expiresAt }
    const link = { ...login, hash: randomBytes(32), purpose: 'password-reset' } as const
    await loginTokens.issue(login, { passwordHash: null })
    await links.issue(link)
    await Promise.all([
      sessions.startSession(makeSession(userId), { passwordHash: 'old hash' }, auditEvent),
      loginTokens.complete({
        tokenHash: login.hash,
        factor: { timeStep: index + 1 },
        session: makeSession(userId),
        now,
        auditEvent,
      }),
      links.resetPassword({ tokenHash: link.hash, passwordHash: `hash ${index}`, now, origin }),
      users.changeUser(userId, { isAdmin: index % 2 === 0, passwordHash: 'by admin', now, actor }),
      sessions.revokeSessionsOf(userId, { now, auditEvent }),
      totp.replaceRecoveryCodes(userId, {
        factor: null,
        codeHashes: [randomBytes(32)],
        now,
        auditEvent,
      }),
      links.purge({ endedBefore: expiresAt, requestedBefore: expiresAt }),
    ])
  })
  const results = await Promise.allSettled(work)
  expect(results.filter(({ status }) => status === 'rejected')).toEqual([])
})

test('sign-ins, renewals and the deletion of one user never deadlock', async () => {
  const account = makeAccount()
  const users = createUserStore(server.database)
  await users.createAccount(account, { isRegistrationOpen: true })
  const sessions = createSessionStore(server.database)
  const work = Array.from({ length: 15 }, (_, index) => [
    sessions.startSession(makeSession(account.id), { passwordHash: 'old hash' }, auditEvent),
    sessions.rotateRefreshToken({
      tokenHash: account.session.refreshTokenHash,
      nextTokenHash: randomBytes(32),
      now,
      unusedMs: 60_000,
      longestMs: Number.POSITIVE_INFINITY,
      judge: () => 'rotate',
      origin,
    }),
    ...(index === 7 ? [users.deleteUser(account.id, byItself)] : []),
  ])
  const results = await Promise.allSettled(work.flat())
  expect(results.filter(({ status }) => status === 'rejected')).toEqual([])
  await expect(server.database.knex('sessions')).resolves.toEqual([])
})
