import { jobs, socialProviders } from '@floe/contracts'
import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type Browser,
  isSignedIn,
  makeRegistration,
  openBrowser,
  register,
} from '../testing/browser.ts'
import {
  enter,
  errorOf,
  goThrough,
  newAccount,
  type SocialWorld,
  startSocialWorld,
} from '../testing/social-world.ts'

let smtp: SmtpCatcher
let world: SocialWorld
let admin: Browser
beforeAll(async () => {
  smtp = await startSmtpCatcher()
  world = await startSocialWorld()
  ;({ browser: admin } = await register(world.server))
  world.server.settings['general.requireApproval'] = true
})
beforeEach(() => world.server.database.knex('rate_limits').delete())
afterAll(async () => {
  await world.close()
  await smtp.stop()
})

const waiting = { status: 403, body: { code: 'account_waiting' } }
const send = (path: string, body: unknown, browser = openBrowser(world.server)) =>
  browser.send('POST', path, body)
const idOf = async (email: string) =>
  (await world.server.database.knex('users').where({ email }).first('id')).id as string
const approve = (id: string) => admin.send('PATCH', `/api/users/${id}`, { isWaiting: false })

test('who signs up is told to wait, and no session begins', async () => {
  const browser = openBrowser(world.server)
  const person = makeRegistration()
  const response = await send('/api/auth/signUp', person, browser)
  expect(response).toMatchObject(waiting)
  expect(response.setCookies).toEqual([])
  const { knex } = world.server.database
  expect(await knex('sessions').where({ user_id: await idOf(person.email) })).toEqual([])
})

test('who waits gets in by no password, and by a new one neither, until approved', async () => {
  const person = makeRegistration()
  await send('/api/auth/signUp', person)
  const { email, password } = person
  expect(await send('/api/auth/signIn', { email, password })).toMatchObject(waiting)
  const wrong = await send('/api/auth/signIn', { email, password: 'something else' })
  expect(wrong).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } })
  const id = await idOf(email)
  await admin.send('PATCH', `/api/users/${id}`, { password: 'set by the admin' })
  const again = { email, password: 'set by the admin' }
  expect(await send('/api/auth/signIn', again)).toMatchObject(waiting)
  expect((await approve(id)).body).not.toHaveProperty('isWaiting')
  expect((await send('/api/auth/signIn', again)).status).toBe(200)
})

test.each(socialProviders)('the first sign-in by %s waits as well, and each after', async (by) => {
  const account = newAccount()
  for (let turn = 0; turn < 2; turn += 1) {
    const browser = openBrowser(world.server)
    const response = await goThrough(browser, by, { account })
    expect(errorOf(response)).toMatchObject({ error: 'account_waiting' })
    await expect(isSignedIn(browser)).resolves.toBe(false)
  }
  await approve(await idOf(account.email ?? ''))
  await expect(isSignedIn(await enter(world.server, by, account))).resolves.toBe(true)
})

test('the list tells administrators who waits; accounts they make do not', async () => {
  const person = makeRegistration()
  await send('/api/auth/signUp', person)
  const made = await admin.send('POST', '/api/users', makeRegistration())
  expect(made.body).not.toHaveProperty('isWaiting')
  const { text } = await admin.send('GET', `/api/users?search=${person.username}`)
  expect(JSON.parse(text)).toMatchObject([{ username: person.username, isWaiting: true }])
})

test('an approval is told once by mail, stands in the audit log, and is not taken back', async () => {
  world.server.useSmtp(smtp)
  const person = makeRegistration()
  await send('/api/auth/signUp', person)
  const id = await idOf(person.email)
  await approve(id)
  await approve(id)
  const { knex } = world.server.database
  const events = await knex('outbox').where({ name: 'user.approved' })
  expect(events.filter(({ payload }) => payload.userId === id)).toHaveLength(1)
  await world.server.runJob(jobs.sendApproval, { userId: id })
  const [mail] = smtp.messages.filter(({ to }) => to.includes(person.email))
  expect(mail).toMatchObject({ subject: 'Your account was approved' })
  expect(mail?.text).toContain('/auth/signIn')
  const recorded = await knex('outbox').where({ name: 'act.done' })
  expect(
    recorded.filter(
      ({ payload }) => payload.action === 'user.approved' && payload.target.id === id,
    ),
  ).toHaveLength(1)
  expect(await admin.send('PATCH', `/api/users/${id}`, { isWaiting: true })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed' },
  })
})
