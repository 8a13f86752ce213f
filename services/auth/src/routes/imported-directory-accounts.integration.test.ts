import { randomUUID } from 'node:crypto'
import { createSecrets } from '@floe/secrets'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { normaliseDirectoryId } from '../domain/directory-ids.ts'
import { importAccounts } from '../import/import-accounts.ts'
import { type Browser, openBrowser, register } from '../testing/browser.ts'
import {
  type DirectoryWorld,
  enterBy,
  newPerson,
  startDirectoryWorld,
  trySignIn,
} from '../testing/directory-world.ts'
import { unlockAccount } from '../unlock/unlock-account.ts'

let world: DirectoryWorld
let admin: Browser
beforeAll(async () => {
  world = await startDirectoryWorld()
  ;({ browser: admin } = await register(world.server))
})
afterAll(() => world.close())
afterEach(() => world.reset())

const dnOf = (uid: string) => `uid=${uid},ou=people,${world.ldap.base}`
const ownUser = async (browser: Browser) => (await browser.send('GET', '/api/users/me')).body
const taken = { status: 409, body: { code: 'directory_account_exists' } }

/** The account of somebody of this DN, as an import makes it, with a browser that is signed in. */
async function importAccount(uid: string, { dn = dnOf(uid), isAdmin = false } = {}) {
  const { database, now } = world.server
  const id = randomUUID()
  const refreshToken = randomUUID()
  const account = {
    ...{ id, createdAt: now(), username: uid, email: `${uid}@example.org`, isAdmin },
    ...{ passwordHash: null, totpSecret: null, identities: [], storageLimit: null },
    ...{ showsName: true, emailStanding: 'owed' as const, shareSizeLimit: null },
    directoryId: normaliseDirectoryId(`dn:${dn}`),
    sessions: [{ refreshToken, createdAt: now(), expiresAt: new Date(now().getTime() + 1e9) }],
  }
  const secrets = createSecrets({ key: Buffer.alloc(32, 1) })
  await database.knex.transaction((trx) =>
    importAccounts(trx, { accounts: [account], secrets, now: now() }),
  )
  return { id, refreshToken }
}

async function storedId(id: string): Promise<string | null> {
  const { knex } = world.server.database
  const row = await knex('users').where({ id }).first<{ directory_id: string | null }>()
  return row.directory_id
}

async function renew(refreshToken: string): Promise<number> {
  const browser = openBrowser(world.server, new Map([['refresh_token', refreshToken]]))
  return (await browser.send('POST', '/api/auth/token')).status
}

test('the first sign-in joins the account of this very DN, which the lasting id has from then on', async () => {
  const { id } = await importAccount('anna', {
    dn: dnOf('anna').toUpperCase().replace(/,/g, ' , '),
  })
  const anna = newPerson('anna')
  const dn = await world.ldap.addPerson(anna)
  expect((await trySignIn(world.server, anna.uid, 'wrong')).status).toBe(401)
  expect(await storedId(id)).toMatch(/^dn:uid=anna,/)
  const user = await ownUser(await enterBy(world.server, anna))
  expect(user).toMatchObject({ id, username: 'anna', isLdap: true })
  expect(user).not.toHaveProperty('mustVerifyEmail')
  expect(await storedId(id)).toMatch(/^entryUUID:/)

  await world.ldap.rename(dn, 'uid=anna.new')
  expect(await ownUser(await enterBy(world.server, { ...anna, uid: 'anna.new' }))).toMatchObject({
    id,
  })
  const namesake = { ...newPerson('anna'), mail: 'another.anna@example.org' }
  await world.ldap.addPerson(namesake)
  expect(await trySignIn(world.server, 'anna', anna.password)).toMatchObject(taken)
})

test('several first sign-ins at once are of one account', async () => {
  const { id } = await importAccount('bea')
  const bea = newPerson('bea')
  await world.ldap.addPerson(bea)
  const browsers = await Promise.all([1, 2, 3].map(() => enterBy(world.server, bea)))
  for (const browser of browsers) expect((await ownUser(browser))['id']).toBe(id)
})

test('nobody with the name or the address, but another DN, gets into the account', async () => {
  const { id } = await importAccount('carl', { dn: `uid=carl,ou=elsewhere,${world.ldap.base}` })
  const byName = { ...newPerson('carl'), mail: 'carl.of.ours@example.org' }
  const byAddress = { ...newPerson('carla'), mail: 'carl@example.org' }
  for (const person of [byName, byAddress]) {
    await world.ldap.addPerson(person)
    expect(await trySignIn(world.server, person.uid, person.password)).toMatchObject(taken)
    expect((await trySignIn(world.server, person.mail, person.password)).status).toBe(409)
  }
  expect(await storedId(id)).toMatch(/^dn:/)
})

test('who has an account here already keeps it, and the imported one waits', async () => {
  const dora = newPerson('dora')
  const dn = await world.ldap.addPerson(dora)
  const { id } = await ownUser(await enterBy(world.server, dora))
  const imported = await importAccount('dora.of.old', { dn })
  expect((await ownUser(await enterBy(world.server, dora)))['id']).toBe(id)
  expect(await renew(imported.refreshToken)).toBe(200)
  expect(await storedId(imported.id)).toMatch(/^dn:/)
})

test('the groups decide who is an administrator, from the first sign-in on', async () => {
  await importAccount('emma', { isAdmin: true })
  await importAccount('fred')
  const [emma, fred] = [newPerson('emma'), newPerson('fred')]
  await world.ldap.addPerson(emma)
  const group = await world.ldap.addGroup('admins', [await world.ldap.addPerson(fred)])
  world.server.settings['ldap.adminGroups'] = group
  expect(await ownUser(await enterBy(world.server, emma))).toMatchObject({ isAdmin: false })
  expect(await ownUser(await enterBy(world.server, fred))).toMatchObject({ isAdmin: true })
})

test('until then it has no password here, and none can be set', async () => {
  const { id } = await importAccount('gina')
  const { text } = await admin.send('GET', '/api/users')
  expect(JSON.parse(text)).toContainEqual(expect.objectContaining({ id, isLdap: true }))
  const change = { password: 'a password of our own' }
  expect(await admin.send('PATCH', `/api/users/${id}`, change)).toMatchObject({
    status: 403,
    body: { code: 'directory_account' },
  })
  world.server.settings['ldap.enabled'] = false
  expect((await trySignIn(world.server, 'gina', change.password)).status).toBe(401)
  const { knex } = world.server.database
  await unlockAccount(knex, { identifier: 'gina', now: world.server.now() })
  expect(await storedId(id)).toBeNull()
})

test.each(['is gone', 'is not below the search base', 'is left out by the filter'])(
  'a browser that was signed in is signed out at its renewal where the entry %s',
  async (why) => {
    const uid = `hugo.${randomUUID()}`
    const { id, refreshToken } = await importAccount(uid)
    if (why !== 'is gone') await world.ldap.addPerson(newPerson(uid))
    if (why === 'is not below the search base') {
      world.server.settings['ldap.searchBase'] = `ou=groups,${world.ldap.base}`
    }
    if (why === 'is left out by the filter') {
      world.server.settings['ldap.searchQuery'] = '(&(uid=%username%)(employeeType=present))'
    }
    expect(await renew(refreshToken)).toBe(401)
    expect(await storedId(id)).toMatch(/^dn:/)
  },
)

test('a browser that was signed in goes on, and its renewal joins the account', async () => {
  const { id, refreshToken } = await importAccount('ines')
  await world.ldap.addPerson(newPerson('ines'))
  expect(await renew(refreshToken)).toBe(200)
  expect(await storedId(id)).toMatch(/^entryUUID:/)
})
