import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isSignedIn, openBrowser, register } from '../testing/browser.ts'
import {
  enter,
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
beforeEach(() => world.server.database.knex('rate_limits').delete())
afterEach(() => use({}))
afterAll(() => world.close())

interface RoleSettings {
  path?: string
  general?: string
  administrators?: string
}

function use({ path = '', general = '', administrators = '' }: RoleSettings) {
  Object.assign(world.server.settings, {
    'oauth.oidc-rolePath': path,
    'oauth.oidc-roleGeneralAccess': general,
    'oauth.oidc-roleAdminAccess': administrators,
  })
}

const person = (claims: Record<string, unknown>, more: object = {}) =>
  newAccount({ claims, ...more })

async function arrive(account: ReturnType<typeof newAccount>) {
  const browser = openBrowser(world.server)
  const response = await goThrough(browser, 'oidc', { account })
  const isIn = landingOf(response) === '/'
  const me = isIn ? (await browser.send('GET', '/api/users/me')).body : null
  return { browser, error: errorOf(response)?.error ?? null, isAdmin: me?.['isAdmin'] ?? null }
}

const member = { error: null, isAdmin: false }
const administrator = { error: null, isAdmin: true }
const refused = { error: 'role_missing', isAdmin: null }
const both = { path: 'roles', general: 'files', administrators: 'boss' }

describe('roles of a provider', () => {
  test.each([
    ['a role among others', both, { roles: ['x', 'files'] }, member],
    ['a text in place of a list', both, { roles: 'files' }, member],
    ['both roles', both, { roles: ['files', 'boss'] }, administrator],
    ["the administrators' role alone", both, { roles: ['boss'] }, administrator],
    ['other roles', both, { roles: ['x'] }, refused],
    ['a role of another case', both, { roles: ['FILES'] }, refused],
    ['a list of nothing', both, { roles: [] }, refused],
    ['no such claim', both, {}, refused],
    ['a claim of another kind', both, { roles: { files: true } }, refused],
    ['a list of other kinds', both, { roles: [1, null, ['files'], { files: 1 }] }, refused],
    [
      'a nested claim',
      { ...both, path: 'realm_access.roles' },
      { realm_access: { roles: ['files'] } },
      member,
    ],
    [
      'a nested claim whose parent is no object',
      { ...both, path: 'roles.a.b' },
      { roles: 7 },
      refused,
    ],
    [
      'a function of a claim that is not there',
      { ...both, path: "roles[?contains(@, 'f')]" },
      {},
      refused,
    ],
    ['no mapping', {}, { roles: [] }, member],
    ['a mapping without a path', { ...both, path: '' }, { roles: [] }, member],
    ['a path, and no role that is asked for', { path: 'roles' }, {}, member],
    ['only administrators mapped', { path: 'roles', administrators: 'boss' }, {}, member],
  ])('%s', async (_, settings, claims, expected) => {
    use(settings)
    expect(await arrive(person(claims))).toMatchObject(expected)
  })

  test('are read from userinfo where the ID token does not name them', async () => {
    use(both)
    const account = person({ roles: ['files', 'boss'] }, { hasBareIdToken: true })
    expect(await arrive(account)).toMatchObject(administrator)
  })

  test('that are withdrawn keep somebody out, and end their sessions', async () => {
    use(both)
    const account = person({ roles: ['files'] })
    const { browser } = await arrive(account)
    expect(await arrive({ ...account, claims: { roles: [] } })).toMatchObject(refused)
    await expect(isSignedIn(browser)).resolves.toBe(false)
    expect(await arrive(account)).toMatchObject(member)
  })

  test('make administrators at each sign-in, and no longer', async () => {
    use(both)
    const account = person({ roles: ['files'] })
    expect(await arrive(account)).toMatchObject(member)
    const promoted = { ...account, claims: { roles: ['boss'] } }
    expect(await arrive(promoted)).toMatchObject(administrator)
    expect(await arrive(account)).toMatchObject(member)
  })

  test('leave administrators as they are where no role is mapped', async () => {
    const account = person({})
    const browser = await enter(world.server, 'oidc', account)
    const id = String((await browser.send('GET', '/api/users/me')).body['id'])
    await admin.browser.send('PATCH', `/api/users/${id}`, { isAdmin: true })
    use({ path: 'roles', general: '' })
    expect(await arrive(account)).toMatchObject(administrator)
  })

  test('demote nobody who is the last administrator', async () => {
    const fresh = await startSocialWorld()
    try {
      const account = person({ roles: ['files'] })
      Object.assign(fresh.server.settings, {
        'oauth.oidc-rolePath': 'roles',
        'oauth.oidc-roleAdminAccess': 'boss',
      })
      const browser = await enter(fresh.server, 'oidc', account)
      expect((await browser.send('GET', '/api/users/me')).body).toMatchObject({ isAdmin: true })
    } finally {
      await fresh.close()
    }
  })

  test('say nothing of other providers', async () => {
    use(both)
    await expect(isSignedIn(await enter(world.server, 'google', newAccount()))).resolves.toBe(true)
  })
})
