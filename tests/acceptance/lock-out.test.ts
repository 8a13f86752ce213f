import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type Account, newAccount, signInAsAdmin } from './world/accounts.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { runCommand } from './world/command.ts'
import { type Client, createClient } from './world/http-client.ts'
import { codeOf } from './world/shares.ts'
import { enrolTotp } from './world/totp.ts'

type Value = string | number | boolean

/** Each setting that says who gets in, as far from letting administrators in as it goes. */
const settings: [what: string, changes: Record<string, Value>][] = [
  ['sign-up is closed', { 'share.allowRegistration': false, 'oauth.allowRegistration': false }],
  ['accounts wait for approval', { 'general.requireApproval': true }],
  ['their domain is not allowed', { 'general.allowedEmailDomains': 'elsewhere.example' }],
  ['their domain is refused', { 'general.refusedEmailDomains': 'floe.test, *.floe.test' }],
  ['sessions are short', { 'general.sessionDuration': 1, 'general.longestSession': 1 }],
  ['passwords have to be longer than theirs', { 'general.minPasswordLength': 64 }],
  ['the site has another address', { 'general.appUrl': 'https://elsewhere.example' }],
  [
    'a directory is on that is not there',
    {
      'ldap.enabled': true,
      'ldap.url': 'ldap://127.0.0.1:9',
      'ldap.searchBase': 'dc=example',
      'ldap.adminGroups': 'cn=nobody,dc=example',
    },
  ],
  [
    'a provider names other administrators, and is not there',
    {
      'oauth.oidc-enabled': true,
      'oauth.oidc-discoveryUri': 'http://127.0.0.1:9',
      'oauth.oidc-clientId': 'floe',
      'oauth.oidc-clientSecret': 'secret',
      'oauth.oidc-rolePath': 'roles',
      'oauth.oidc-roleGeneralAccess': 'files',
      'oauth.oidc-roleAdminAccess': 'boss',
    },
  ],
]

onOneArrangement('embedded', 'an administrator', (floe) => {
  let keeper: Client
  let account: Account

  beforeAll(async () => {
    const admin = await signInAsAdmin(floe)
    const [undoes, tries] = [newAccount(), newAccount()]
    for (const one of [undoes, tries]) {
      const json = { ...one, isAdmin: true }
      expect((await admin.send('POST', '/api/users', { json })).status).toBe(201)
    }
    account = tries
    // No setting under test is in its way.
    keeper = await enter(undoes)
    await enrolTotp(keeper, undoes)
  })

  async function save(changes: Record<string, Value>) {
    const json = Object.entries(changes).map(([key, value]) => ({ key, value }))
    return keeper.send('PATCH', '/api/configs/admin', { json })
  }

  async function configure(changes: Record<string, Value>) {
    const response = await save(changes)
    expect(response.status, response.text).toBe(200)
    onTestFinished(async () => {
      const blank = Object.fromEntries(Object.keys(changes).map((key) => [key, '']))
      expect((await save(blank)).status).toBe(200)
    })
  }

  async function enter({ email, password }: Account): Promise<Client> {
    const client = createClient(floe.url)
    const entered = await client.send('POST', '/api/auth/signIn', { json: { email, password } })
    expect(entered.status, entered.text).toBe(200)
    return client
  }

  /** Signed in, and able to undo what was set. */
  const administrates = async (client: Client) =>
    (await client.send('GET', '/api/configs/admin/general')).status

  test.each(settings)('gets in where %s', async (_, changes) => {
    await configure(changes)
    expect(await administrates(await enter(account))).toBe(200)
  })

  test('cannot switch passwords off while no provider works', async () => {
    const response = await save({ 'oauth.disablePassword': true })
    expect([response.status, codeOf(response)]).toEqual([400, 'config_needs_provider'])
    expect(await administrates(await enter(account))).toBe(200)
  })

  test('who lacks a second factor sets one up; who lost it gets in by the command', async () => {
    await configure({ 'general.secondFactor': 'everybody' })
    // Every part knows within seconds.
    const client = await enter(account)
    await vi.waitFor(async () => expect(await administrates(client)).toBe(403), 10_000)
    await enrolTotp(client, account)
    expect(await administrates(client)).toBe(200)

    const environment = { DATA_DIR: floe.dataDirectory, PUBLIC_URL: 'https://files.example.org' }
    const { code, lines } = await runCommand('unlock', environment, account.username)
    expect(code).toBe(0)
    const token = /resetPassword\/([\w-]+)$/.exec(lines.at(-1) ?? '')?.[1]
    const password = 'another long password'
    const visitor = createClient(floe.url)
    const json = { token, password }
    expect((await visitor.send('POST', '/api/auth/resetPassword', { json })).status).toBe(204)
    account = { ...account, password }
    const again = await enter(account)
    expect(await administrates(again)).toBe(403)
    await enrolTotp(again, account)
    expect(await administrates(again)).toBe(200)
    await runCommand('unlock', environment, account.username)
  })

  test('is not needed for who waits: the command approves as well', async () => {
    await configure({ 'general.requireApproval': true })
    let waiting = newAccount()
    // Every part knows within seconds.
    await vi.waitFor(async () => {
      waiting = newAccount()
      const response = await createClient(floe.url).send('POST', '/api/auth/signUp', {
        json: waiting,
      })
      expect(codeOf(response)).toBe('account_waiting')
    }, 10_000)
    const environment = { DATA_DIR: floe.dataDirectory, PUBLIC_URL: 'https://files.example.org' }
    expect((await runCommand('unlock', environment, waiting.username)).code).toBe(0)
    await enter(waiting)
  })
})
