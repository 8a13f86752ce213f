import { type LdapServer, startLdapServer } from '@floe/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, register } from '../testing/browser.ts'
import { type DirectoryWorld, newPerson, startDirectoryWorld } from '../testing/directory-world.ts'

let world: DirectoryWorld
let stranger: LdapServer
let admin: Browser
let bert: string
let staff: string
beforeAll(async () => {
  ;[world, stranger] = await Promise.all([startDirectoryWorld(), startLdapServer()])
  ;({ browser: admin } = await register(world.server))
  await world.ldap.addPerson(newPerson('anna'))
  bert = await world.ldap.addPerson(newPerson('bert'))
  staff = await world.ldap.addGroup('staff', [bert])
  for (const uid of ['carl', 'cora']) {
    await world.ldap.addPerson({ ...newPerson(uid), mail: 'twice@example.org' })
  }
})
afterAll(() => Promise.all([world.close(), stranger.close()]))
afterEach(() => world.reset())

const tryOut = (browser = admin, input?: { username: string }) =>
  browser.send('POST', '/api/auth/directory/check', input)

async function failure(): Promise<string> {
  const { status, body } = await tryOut()
  expect({ status, code: body['code'] }).toEqual({ status: 400, code: 'directory_check_failed' })
  return String(body['message'])
}

test('tells somebody who may sign in, switched on or off', async () => {
  world.server.settings['ldap.enabled'] = false
  const { status, body } = await tryOut()
  const entry = `uid=anna,ou=people,${world.ldap.base}`
  const found = { entry, email: 'anna@example.org', groups: [], isAdmin: null }
  expect({ status, body }).toEqual({ status: 200, body: found })
})

test('what is missing, wrong or finds nobody is told apart, and no password is told', async () => {
  const { settings } = world.server
  settings['ldap.bindPassword'] = 'a password of another'
  const rejected = await failure()
  expect(rejected).toMatch(/InvalidCredentials/)
  expect(rejected).not.toContain('a password of another')
  world.reset()
  settings['ldap.searchQuery'] = '(mail=%username%@elsewhere.org)'
  expect(await failure()).toContain('the search finds nobody')
  settings['ldap.searchQuery'] = '(uid=%username%'
  expect(await failure()).toMatch(/unbalanced/i)
  world.reset()
  settings['ldap.searchBase'] = 'dc=nowhere'
  expect(await failure()).toMatch(/NoSuchObject/)
  for (const key of ['ldap.url', 'ldap.searchBase', 'ldap.bindPassword'] as const) {
    world.reset()
    settings[key] = ''
    expect((await tryOut()).body).toMatchObject({ code: 'directory_check_incomplete' })
  }
})

test.each(['StartTLS', 'LDAPS'])('%s trusts the authority of the settings alone', async (way) => {
  const { settings } = world.server
  settings['ldap.startTls'] = way === 'StartTLS'
  settings['ldap.url'] = way === 'StartTLS' ? world.ldap.url : world.ldap.tlsUrl
  expect((await tryOut()).status).toBe(200)
  settings['ldap.certificate'] = stranger.authority
  expect(await failure()).toMatch(/certificate|signature/)
  settings['ldap.certificate'] = ''
  expect(await failure()).toMatch(/certificate/)
  settings['ldap.certificate'] = 'no certificate'
  expect(await failure()).not.toBe('')
})

test.each(['StartTLS', 'LDAPS'])(
  '%s is refused where the certificate is of another host',
  async (way) => {
    const { settings } = world.server
    const isStartTls = way === 'StartTLS'
    settings['ldap.startTls'] = isStartTls
    settings['ldap.url'] = (isStartTls ? world.ldap.url : world.ldap.tlsUrl).replace(
      'localhost',
      '127.0.0.1',
    )
    expect(await failure()).toMatch(/does not match certificate/)
  },
)

test('a second server that does not work is found', async () => {
  world.server.settings['ldap.url'] += ' ldap://localhost:1'
  expect(await failure()).toContain('ldap://localhost:1: ')
})

describe('by a name', () => {
  test.each(['bert', 'BERT', ' bert ', 'bert@example.org'])(
    'tells groups and role of whom %j would sign in',
    async (username) => {
      const { ldap } = world
      const { settings } = world.server
      const body = { entry: bert, email: 'bert@example.org', groups: [staff] }
      expect(await tryOut(admin, { username })).toMatchObject({ body: { ...body, isAdmin: null } })
      settings['ldap.adminGroups'] = `cn=bosses,ou=groups,${ldap.base}`
      expect((await tryOut(admin, { username })).body).toEqual({ ...body, isAdmin: false })
      settings['ldap.adminGroups'] += `\nCN=Staff , ou=groups, ${ldap.base}`
      expect((await tryOut(admin, { username })).body).toEqual({ ...body, isAdmin: true })
      settings['ldap.fieldNameMemberOf'] = 'description'
      expect(await tryOut(admin, { username })).toMatchObject({
        body: { groups: [], isAdmin: false },
      })
    },
  )

  test.each(['nobody.here', '*', 'twice@example.org'])(
    'says that %j is nobody, or more than one',
    async (username) => {
      expect(await tryOut(admin, { username })).toMatchObject({
        status: 404,
        body: { code: 'directory_nobody_found' },
      })
    },
  )

  test('a blank name asks for anybody, one without end for nobody', async () => {
    expect((await tryOut(admin, { username: '' })).status).toBe(200)
    expect(await tryOut(admin, { username: 'a'.repeat(255) })).toMatchObject({ status: 400 })
  })

  test('a server that is away is told before anything else', async () => {
    world.server.settings['ldap.url'] = `ldap://localhost:1 ${world.ldap.url}`
    expect(await tryOut(admin, { username: 'nobody.here' })).toMatchObject({
      body: { code: 'directory_check_failed' },
    })
  })
})

test('is for administrators alone', async () => {
  const { browser: user } = await register(world.server)
  expect(await tryOut(user)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
})
