import { type RecordedAuditEvent, recordedAuditEventSchema } from '@floe/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setUpTotp } from '../testing/authenticator.ts'
import { openBrowser, register } from '../testing/browser.ts'
import {
  errorOf,
  goThrough,
  landingOf,
  newAccount,
  type SocialWorld,
  startSocialWorld,
} from '../testing/social-world.ts'

let world: SocialWorld
let admin: Awaited<ReturnType<typeof register>>
beforeAll(async () => {
  world = await startSocialWorld()
  admin = await register(world.server)
})
afterAll(() => world.close())

/** What was recorded for the audit log while `run` ran. */
async function auditEventsOf(run: () => Promise<unknown>): Promise<RecordedAuditEvent[]> {
  const { knex } = world.server.database
  await knex('outbox').delete()
  await run()
  const rows: { payload: unknown }[] = await knex('outbox')
    .where({ name: 'act.done' })
    .orderBy('id')
    .select('payload')
  return rows.map(({ payload }) => recordedAuditEventSchema.parse(payload))
}

const codesOf = async (run: () => Promise<unknown>) =>
  (await auditEventsOf(run)).map(({ action, details }) => [action, details])

test('a change of an account is told by what matters in it, and one of nothing is not told', async () => {
  const user = await register(world.server)
  const update = (body: unknown) => admin.browser.send('PATCH', `/api/users/${user.id}`, body)
  const auditEvents = await auditEventsOf(() =>
    update({
      username: `${user.username}2`,
      storageLimit: 5,
      isAdmin: true,
      password: 'a new one',
    }),
  )
  expect(auditEvents.map(({ action, details }) => [action, details])).toEqual([
    ['user.updated', { fields: 'username storageLimit' }],
    ['user.promoted', {}],
    ['user.password_set', {}],
  ])
  for (const { actor, target } of auditEvents) {
    expect(actor).toMatchObject({ id: admin.id, name: admin.username })
    expect(target).toEqual({ type: 'user', id: user.id, name: `${user.username}2` })
  }
  expect(await codesOf(() => update({ isAdmin: true }))).toEqual([])
  expect(JSON.stringify(auditEvents)).not.toContain('a new one')
})

test('a refused change is not told', async () => {
  const body = { isAdmin: false }
  const path = `/api/users/${admin.id}`
  const other = await register(world.server)
  expect(await codesOf(() => other.browser.send('PATCH', path, body))).toEqual([])
  const taken = { username: admin.username, password: 'a new one' }
  const rename = () => admin.browser.send('PATCH', `/api/users/${other.id}`, taken)
  expect(await codesOf(rename)).toEqual([])
})

test('the second factor is told when it comes, goes, and gets new recovery codes', async () => {
  const user = await register(world.server)
  const { browser, password } = user
  expect(await codesOf(() => setUpTotp(world.server, user))).toEqual([['totp.enabled', {}]])
  const codes: string[] = []
  const create = async () => {
    const response = await browser.send('POST', '/api/auth/totp/recoveryCodes', { password })
    codes.push(...(response.body['recoveryCodes'] as string[]))
  }
  expect(await codesOf(create)).toEqual([['totp.recovery_codes_created', {}]])
  const disable = () =>
    browser.send('POST', '/api/auth/totp/disable', { password, code: codes[0] ?? '' })
  const auditEvents = await auditEventsOf(disable)
  expect(auditEvents.map(({ action }) => action)).toEqual(['totp.disabled'])
  expect(JSON.stringify(auditEvents)).not.toContain(codes[0])
})

test('social accounts are told when they are linked, unlinked and entered with', async () => {
  const { browser } = await register(world.server)
  const account = newAccount({ isEmailVerified: true })
  const through = { provider: 'github' }
  expect(await codesOf(() => goThrough(browser, 'github', { account }))).toEqual([
    ['social.linked', through],
  ])
  const newcomer = openBrowser(world.server)
  expect(await codesOf(() => goThrough(newcomer, 'github', { account }))).toEqual([
    ['sign_in.succeeded', { by: 'github' }],
  ])
  const unlink = () => browser.send('POST', '/api/oauth/unlink/github', {})
  expect(await codesOf(unlink)).toEqual([['social.unlinked', through]])
})

test('a new user with a social account is told as registered, or as refused', async () => {
  const enter = (account: ReturnType<typeof newAccount>) =>
    goThrough(openBrowser(world.server), 'github', { account })
  const account = newAccount({ isEmailVerified: true })
  let landing: string | null = null
  const codes = await codesOf(async () => {
    landing = landingOf(await enter(account))
  })
  expect(landing).not.toBeNull()
  expect(codes).toEqual([
    ['user.registered', { by: 'github' }],
    ['sign_in.succeeded', { by: 'github' }],
  ])
  world.server.settings['oauth.allowRegistration'] = false
  const refused = await auditEventsOf(async () => {
    const response = await enter(newAccount({ isEmailVerified: true }))
    expect(errorOf(response)?.error).toBe('no_user')
  })
  world.server.settings['oauth.allowRegistration'] = true
  expect(refused).toMatchObject([
    {
      action: 'sign_in.failed',
      actor: { id: null, name: null },
      target: null,
      details: { by: 'github', reason: 'no_user' },
    },
  ])
})

test('a stolen refresh token that comes back is told, by the session it ended', async () => {
  const { server } = world
  const { browser, username } = await register(server)
  const thief = browser.copy()
  await browser.send('POST', '/api/auth/token')
  server.passSeconds(6)
  const auditEvents = await auditEventsOf(() => thief.send('POST', '/api/auth/token'))
  expect(auditEvents).toMatchObject([
    {
      action: 'session.token_reused',
      actor: { id: null },
      target: { type: 'session', name: username },
    },
  ])
})

test('what was typed at a refused sign-in is not kept, whether or not the account exists', async () => {
  const { email } = await register(world.server)
  const typed = { email: 'my-password-in-the-wrong-field', password: 'a guess' }
  const auditEvents = await auditEventsOf(async () => {
    await openBrowser(world.server).send('POST', '/api/auth/signIn', typed)
    await openBrowser(world.server).send('POST', '/api/auth/signIn', { email, password: 'a guess' })
  })
  expect(auditEvents.map(({ action, target }) => [action, target?.type])).toEqual([
    ['sign_in.failed', undefined],
    ['sign_in.failed', 'user'],
  ])
  expect(JSON.stringify(auditEvents)).not.toMatch(/wrong-field|a guess/)
})
