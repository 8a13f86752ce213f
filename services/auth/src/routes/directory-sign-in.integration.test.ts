import { recordedAuditEventSchema } from '@floe/contracts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { attemptLimits } from '../domain/attempts.ts'
import { setUpTotp } from '../testing/authenticator.ts'
import { type Browser, isSignedIn, openBrowser, register, signIn } from '../testing/browser.ts'
import { createPasskeyDevice } from '../testing/passkey-device.ts'
import { unlockAccount } from '../unlock/unlock-account.ts'
import {
  type DirectoryWorld,
  enterBy,
  newPerson,
  startDirectoryWorld,
  trySignIn,
} from '../testing/directory-world.ts'

let world: DirectoryWorld
let admin: Awaited<ReturnType<typeof register>>
beforeAll(async () => {
  world = await startDirectoryWorld()
  admin = await register(world.server)
})
afterAll(() => world.close())
afterEach(() => world.reset())

/** Somebody the directory knows, with the DN. */
async function addPerson(uid: string) {
  const person = newPerson(uid)
  return { ...person, dn: await world.ldap.addPerson(person) }
}

const ownUser = async (browser: Browser) => (await browser.send('GET', '/api/users/me')).body
const renew = (browser: Browser) => browser.send('POST', '/api/auth/token')

async function auditEventsOf(run: () => Promise<unknown>) {
  const { knex } = world.server.database
  await knex('outbox').delete()
  await run()
  const rows: { payload: unknown }[] = await knex('outbox')
    .where({ name: 'act.done' })
    .orderBy('id')
    .select('payload')
  return rows
    .map(({ payload }) => recordedAuditEventSchema.parse(payload))
    .map(({ action, details }) => [action, details])
}

test('the first sign-in makes the account, later ones by name or address find it', async () => {
  const anna = await addPerson('anna')
  let browser = openBrowser(world.server)
  expect(await auditEventsOf(async () => (browser = await enterBy(world.server, anna)))).toEqual([
    ['user.registered', { by: 'directory' }],
    ['sign_in.succeeded', { by: 'directory' }],
  ])
  const user = await ownUser(browser)
  expect(user).toMatchObject({ username: 'anna', email: anna.mail, isAdmin: false, isLdap: true })
  for (const name of ['ANNA', anna.mail]) {
    const again = await enterBy(world.server, { uid: name, password: anna.password })
    expect((await ownUser(again))['id']).toBe(user['id'])
  }
})

test('an entry that was renamed keeps its account, and a new one of its name gets none', async () => {
  const before = await addPerson('maria')
  const { id } = await ownUser(await enterBy(world.server, before))
  await world.ldap.rename(before.dn, 'uid=maria.new')
  await world.ldap.change(`uid=maria.new,ou=people,${world.ldap.base}`, 'mail', 'new@example.org')
  const renamed = await enterBy(world.server, { uid: 'maria.new', password: before.password })
  expect(await ownUser(renamed)).toMatchObject({ id, username: 'maria', email: 'new@example.org' })
  const namesake = await addPerson('maria')
  const response = await trySignIn(world.server, namesake.uid, namesake.password)
  expect(response).toMatchObject({ status: 409, body: { code: 'directory_account_exists' } })
})

test('an entry is known by the bytes that Active Directory tells it by', async () => {
  const person = newPerson('guid.person')
  const objectGuid = Buffer.from('00ff2a285c29807fc3a9d0b16d3f8e01', 'hex')
  const dn = await world.ldap.addPerson({ ...person, objectGuid })
  const browser = await enterBy(world.server, person)
  expect((await renew(browser)).status).toBe(200)
  await world.ldap.remove(dn)
  await world.ldap.addPerson(person)
  expect((await renew(browser)).status).toBe(401)
})

test('a wrong password, an unknown name and an empty password let nobody in', async () => {
  const { uid } = await addPerson('bert')
  const refused = { status: 401, body: { code: 'wrong_credentials' } }
  const audited = await auditEventsOf(async () => {
    expect(await trySignIn(world.server, uid, 'wrong')).toMatchObject(refused)
    expect(await trySignIn(world.server, 'nobody.here', 'wrong')).toMatchObject(refused)
  })
  expect(audited).toEqual([
    ['sign_in.failed', { by: 'directory' }],
    ['sign_in.failed', { by: 'directory' }],
  ])
  expect(await trySignIn(world.server, uid, '')).toMatchObject({ status: 400 })
})

test.each(['*', '*)(uid=*', 'cla*', 'clara)(objectClass=*', '\\2a', '(', 'clara\u0000', '$&'])(
  'the name %j is not taken for a part of the query',
  async (name) => {
    const password = 'password of clara'
    await world.ldap.addPerson({ ...newPerson('clara'), password }).catch((error: unknown) => {
      // Of the case before.
      expect(String(error)).toMatch(/Already/)
    })
    expect(await trySignIn(world.server, name, password)).toMatchObject({
      status: 401,
      body: { code: 'wrong_credentials' },
    })
  },
)

test('a name that two entries answer to lets nobody in', async () => {
  const dora = await addPerson('dora')
  await world.ldap.addPerson({ ...newPerson('dora2'), mail: dora.mail, password: dora.password })
  const { status } = await trySignIn(world.server, dora.mail, dora.password)
  expect(status).toBe(401)
  await enterBy(world.server, dora)
})

test('the account of somebody without an address is not made', async () => {
  await world.ldap.addPerson({ uid: 'emil', password: 'password of emil' })
  expect(await trySignIn(world.server, 'emil', 'password of emil')).toMatchObject({
    status: 403,
    body: { code: 'directory_entry_incomplete' },
  })
})

test('a local account is never taken over, by its name or by its address', async () => {
  const local = await register(world.server)
  await world.ldap.addPerson({ ...newPerson(local.username), password: 'of the directory' })
  // The name is the local account's, whose password the directory does not decide.
  expect((await trySignIn(world.server, local.username, 'of the directory')).status).toBe(401)
  await signIn(world.server, local)
  // By another name of the entry, the directory lets its person in, but not into the account.
  const byAddress = { ...newPerson('fritz'), mail: local.email }
  await world.ldap.addPerson(byAddress)
  const taken = { status: 409, body: { code: 'directory_account_exists' } }
  expect(await trySignIn(world.server, 'fritz', byAddress.password)).toMatchObject(taken)
  const other = await register(world.server)
  const byName = { ...newPerson(other.username), mail: 'elsewhere@example.org' }
  await world.ldap.addPerson(byName)
  expect(await trySignIn(world.server, byName.mail, byName.password)).toMatchObject(taken)
})

test('names that no account may have here become others', async () => {
  for (const uid of ['jo', 'x-y']) {
    const browser = await enterBy(world.server, await addPerson(uid))
    expect((await ownUser(browser))['username']).toMatch(/^user(?:_[0-9a-f]{6})?$/)
  }
})

test('members of the groups are administrators, from each sign-in and renewal on', async () => {
  const gerda = await addPerson('gerda')
  const group = await world.ldap.addGroup('admins', [gerda.dn])
  const { settings } = world.server
  settings['ldap.adminGroups'] = `cn=others,dc=example\nCN=Admins, OU=groups , ${world.ldap.base}`
  const browser = await enterBy(world.server, gerda)
  expect(await ownUser(browser)).toMatchObject({ isAdmin: true })

  await world.ldap.remove(group)
  const audited = await auditEventsOf(() => renew(browser))
  expect(audited).toEqual([['user.demoted', {}]])
  expect(await isSignedIn(browser)).toBe(false)
  const again = await enterBy(world.server, gerda)
  expect(await ownUser(again)).toMatchObject({ isAdmin: false })

  await world.ldap.addGroup('admins', [gerda.dn])
  expect((await renew(again)).status).toBe(200)
  expect(await ownUser(again)).toMatchObject({ isAdmin: true })
})

test('without groups in the settings an administrator stays one', async () => {
  const hanna = await addPerson('hanna')
  const browser = await enterBy(world.server, hanna)
  const { id } = await ownUser(browser)
  await admin.browser.send('PATCH', `/api/users/${String(id)}`, { isAdmin: true })
  expect(await ownUser(await enterBy(world.server, hanna))).toMatchObject({ isAdmin: true })
})

test('the second factor is asked for', async () => {
  const ida = await addPerson('ida')
  const browser = await enterBy(world.server, ida)
  const authenticator = await setUpTotp(world.server, { browser, password: '' })
  const { body } = await trySignIn(world.server, ida.uid, ida.password)
  expect(Object.keys(body)).toEqual(['loginToken'])
  const code = { totp: authenticator.nextCode(), loginToken: body['loginToken'] }
  const second = await openBrowser(world.server).send('POST', '/api/auth/signIn/totp', code)
  expect(second.status).toBe(200)
})

test('somebody who was removed cannot sign in, and their sessions end with the renewal', async () => {
  const jan = await addPerson('jan')
  const [browser, other] = [await enterBy(world.server, jan), await enterBy(world.server, jan)]
  expect((await renew(browser)).status).toBe(200)
  await world.ldap.remove(jan.dn)
  expect((await trySignIn(world.server, jan.uid, jan.password)).status).toBe(401)
  const audited = await auditEventsOf(async () => {
    expect((await renew(browser)).status).toBe(401)
  })
  expect(audited).toEqual([['session.all_ended', { by: 'directory' }]])
  for (const ended of [browser, other]) expect(await isSignedIn(ended)).toBe(false)
})

test('a passkey lets nobody in whom the directory does not know any more, or cannot be asked for', async () => {
  const origin = 'https://files.example.org'
  world.server.settings['general.appUrl'] = origin
  const petra = await addPerson('petra')
  const browser = await enterBy(world.server, petra)
  const device = createPasskeyDevice({ origin })
  const asked = await browser.send('POST', '/api/auth/passkeys/options', {})
  const made = device.create(asked.body as unknown as Parameters<typeof device.create>[0])
  const added = await browser.send('POST', '/api/auth/passkeys', { name: 'Key', passkey: made })
  expect(added.status, added.text).toBe(201)

  async function signInByPasskey() {
    const stranger = openBrowser(world.server)
    const { body } = await stranger.send('POST', '/api/auth/signIn/passkey/options', {})
    const options = body['options'] as Parameters<typeof device.use>[0]
    return stranger.send('POST', '/api/auth/signIn/passkey', { passkey: device.use(options) })
  }
  expect((await signInByPasskey()).status).toBe(200)
  await world.ldap.stop()
  const away = await signInByPasskey()
  await world.ldap.start()
  expect(away).toMatchObject({ status: 503, body: { code: 'directory_unavailable' } })
  world.server.settings['ldap.enabled'] = false
  expect(await signInByPasskey()).toMatchObject({ body: { code: 'passkey_refused' } })
  world.server.settings['ldap.enabled'] = true
  await world.ldap.remove(petra.dn)
  expect(await signInByPasskey()).toMatchObject({ body: { code: 'passkey_refused' } })
  expect(await isSignedIn(browser)).toBe(false)
})

test('somebody whom the query leaves out by now is as good as removed', async () => {
  const kurt = await addPerson('kurt')
  const browser = await enterBy(world.server, kurt)
  world.server.settings['ldap.searchQuery'] = '(&(uid=%username%)(!(employeeType=former)))'
  expect((await renew(browser)).status).toBe(200)
  await world.ldap.change(kurt.dn, 'employeeType', 'former')
  expect((await renew(browser)).status).toBe(401)
})

test('where the directory is away, local accounts and sessions go on, others are told', async () => {
  const lena = await addPerson('lena')
  const browser = await enterBy(world.server, lena)
  await world.ldap.stop()
  try {
    const away = { status: 503, body: { code: 'directory_unavailable' } }
    expect(await trySignIn(world.server, lena.uid, lena.password)).toMatchObject(away)
    expect(await trySignIn(world.server, 'somebody.new', 'password')).toMatchObject(away)
    await signIn(world.server, admin)
    expect(await trySignIn(world.server, admin.username, 'wrong')).toMatchObject({ status: 401 })
    expect((await renew(browser)).status).toBe(200)
    expect(await isSignedIn(browser)).toBe(true)
  } finally {
    await world.ldap.start()
  }
  await enterBy(world.server, lena)
})

test('passwords, names and addresses of directory accounts are not changed here', async () => {
  const mona = await addPerson('mona')
  const browser = await enterBy(world.server, mona)
  const { id } = await ownUser(browser)
  const refused = { status: 403, body: { code: 'directory_account' } }
  const password = 'a password of our own'
  const attempts = [
    browser.send('PATCH', '/api/auth/password', { password }),
    browser.send('PATCH', '/api/users/me', { email: 'mine@example.org' }),
    browser.send('PATCH', '/api/users/me', { username: 'monalisa' }),
    browser.send('GET', '/api/oauth/auth/github'),
    admin.browser.send('PATCH', `/api/users/${String(id)}`, { password }),
    admin.browser.send('PATCH', `/api/users/${String(id)}`, { email: 'theirs@example.org' }),
  ]
  for (const response of await Promise.all(attempts)) expect(response).toMatchObject(refused)
  expect((await browser.send('PATCH', '/api/users/me', { showName: false })).status).toBe(200)
})

test('wrong passwords count, however the directory lets a name be spelt', async () => {
  await addPerson('nora')
  await world.server.database.knex('rate_limits').delete()
  const spellings = ['nora', 'NORA', ' nora ', 'no\u00adra', '\uff4eora']
  const most = attemptLimits.account.points
  for (let tries = 0; tries < most; tries += 1) {
    const { status } = await trySignIn(world.server, spellings[tries % 5] ?? '', 'wrong')
    expect(status).toBe(401)
  }
  expect((await trySignIn(world.server, 'nora', 'password of nora')).status).toBe(429)
  await world.server.database.knex('rate_limits').delete()
})

test('an account that was unlocked is a local one from then on', async () => {
  const rosa = await addPerson('rosa')
  await enterBy(world.server, rosa)
  const { knex } = world.server.database
  const unlocked = await unlockAccount(knex, { identifier: rosa.uid, now: world.server.now() })
  const password = 'a password of our own'
  const chosen = { token: unlocked?.resetToken, password }
  await openBrowser(world.server).send('POST', '/api/auth/resetPassword', chosen)
  const browser = await enterBy(world.server, { uid: rosa.uid, password })
  expect(await ownUser(browser)).not.toHaveProperty('isLdap')
  expect((await trySignIn(world.server, rosa.uid, rosa.password)).status).toBe(401)
})

test('switched off, the directory lets nobody in, and a password of an older version neither', async () => {
  const otto = await addPerson('otto')
  const browser = await enterBy(world.server, otto)
  const { id } = await ownUser(browser)
  const { knex } = world.server.database
  const hash = await knex('credentials')
    .where({ user_id: admin.id })
    .first<{ password_hash: string }>()
  await knex('credentials').insert({ user_id: id, password_hash: hash.password_hash })
  world.server.settings['ldap.enabled'] = false
  for (const password of [otto.password, admin.password]) {
    expect((await trySignIn(world.server, otto.uid, password)).status).toBe(401)
  }
  expect((await renew(browser)).status).toBe(200)
})
