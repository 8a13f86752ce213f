import { randomBytes } from 'node:crypto'
import {
  type ErrorCode,
  errorEntry,
  JSON_BODY_LIMIT_BYTES,
  type RouteContract,
  type RouteName,
  routes,
} from '@floe/contracts'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type Account, signIn, signInAsAdmin, signUp } from './world/accounts.ts'
import { haveAlone, oneFloe } from './world/arrangements.ts'
import { type HttpResponse, type Client, createClient } from './world/http-client.ts'
import { forgedNewPasskey, forgedPasskey } from './world/passkeys.ts'
import { codeOf, publishShare } from './world/shares.ts'

/** Equal on both arrangements, so that equal requests must get equal responses. */
const name = `hostile_${randomBytes(5).toString('hex')}`
const account: Account = { email: `${name}@floe.test`, username: name, password: `pass ${name}` }
const shareId = `share-${name}`

interface Case {
  what: string
  method: string
  path: string
  json?: unknown
  bytes?: string
  headers?: Record<string, string>
}

const clients: Client[] = []
const admins: Client[] = []
/** What each of them has: nothing of it may change. */
const states = new Map<Client, unknown>()

const floes = oneFloe('split')

floes.forEach(haveAlone)
beforeAll(async () => {
  for (const floe of floes) {
    const client = await signUp(floe, account)
    await publishShare(client, { 'a.txt': 'a' }, { id: shareId, name: 'Untouched' })
    // The last thing that changes by itself.
    const path = `/api/shares/${shareId}/from-owner`
    await vi.waitFor(
      async () => expect((await client.send('GET', path)).text).toContain('"sha256":"'),
      { timeout: 30_000 },
    )
    const asAdmin = await signInAsAdmin(floe)
    clients.push(client)
    admins.push(asAdmin)
    for (const one of [client, asAdmin]) states.set(one, await readState(one))
  }
})

async function readState(client: Client): Promise<unknown> {
  const paths = [
    '/api/users/me',
    '/api/shares',
    `/api/shares/${shareId}/from-owner`,
    '/api/configs',
  ]
  return Promise.all(paths.map(async (path) => (await client.send('GET', path)).body))
}

interface Outcome {
  what: string
  status: number
  code: string | undefined
}

async function run(client: Client, cases: readonly Case[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const { what, method, path, ...options } of cases) {
    const response = await client.send(method, path, options)
    outcomes.push({ what, status: response.status, code: codeOf(response) })
  }
  return outcomes
}

/** Every case is refused with a stable code, equally by both, and nothing has changed. */
async function expectAllRefused(
  cases: readonly Case[],
  isFine: (outcome: Outcome) => boolean = isRefusal,
  callers: readonly Client[] = clients,
): Promise<void> {
  const [first, ...others] = await Promise.all(
    callers.map(async (client) => {
      const outcomes = await run(client, cases)
      expect(await readState(client)).toEqual(states.get(client))
      return outcomes
    }),
  )
  expect(first?.filter((outcome) => !isFine(outcome))).toEqual([])
  for (const other of others) expect(other).toEqual(first)
}

function isRefusal({ status, code }: Outcome): boolean {
  return status >= 400 && status < 500 && /^[a-z_]+$/.test(code ?? '')
}

const routeList = Object.entries(routes) as [RouteName, RouteContract][]

/** A body that passes, as a base for ones that do not. */
const goodBodies: Partial<Record<RouteName, Record<string, unknown>>> = {
  signUp: { email: 'new@floe.test', username: 'newcomer', password: 'long enough' },
  signIn: { email: account.email, username: account.username, password: account.password },
  signInTotp: { totp: '123456', loginToken: 'A'.repeat(43) },
  resetPassword: { token: 'A'.repeat(43), password: 'long enough' },
  confirmEmail: { token: 'A'.repeat(43) },
  enableTotp: { password: account.password },
  verifyTotp: { password: account.password, code: '123456' },
  disableTotp: { password: account.password, code: '123456' },
  createRecoveryCodes: { password: account.password, code: '123456' },
  beginPasskey: { password: account.password },
  addPasskey: { name: 'Laptop', passkey: forgedNewPasskey },
  renamePasskey: { name: 'Laptop' },
  removePasskey: { password: account.password },
  requestPasskey: { loginToken: 'A'.repeat(43) },
  signInPasskey: { passkey: forgedPasskey, loginToken: 'A'.repeat(43) },
  unlinkSocialAccount: { confirm: true },
  createUser: {
    username: 'invited',
    email: 'invited@floe.test',
    isAdmin: false,
    password: 'long enough',
  },
  updateUser: {
    username: 'renamed',
    email: 'renamed@floe.test',
    isAdmin: true,
    password: 'long enough',
  },
  changePassword: { oldPassword: account.password, password: 'long enough' },
  finishSetup: { changes: [{ key: 'general.appName', value: 'Theirs' }] },
  authorizeDevice: { client_id: 'floe', client_name: 'laptop', scope: 'shares:read' },
  redeemDeviceCode: {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: 'none',
    client_id: 'floe',
  },
  receiveLogoutToken: { logout_token: 'theirs' },
  decideDeviceRequest: { approve: false },
  createToken: {
    name: 'For backups',
    scopes: ['shares:read'],
    expiresIn: '30-days',
    networks: ['192.0.2.0/24'],
    maxShareSize: 1_000_000,
    maxExpiration: '7-days',
  },
  createWebhook: {
    url: 'https://hooks.example.org/',
    events: ['share.completed'],
    scope: 'own',
    format: 'standard',
  },
  updateWebhook: {
    url: 'https://hooks.example.org/',
    events: ['share.opened'],
    format: 'slack',
    enabled: true,
  },
  replayWebhook: { since: '2026-01-01T00:00:00Z' },
  updateOwnUser: { username: 'renamed', email: 'renamed@floe.test', showName: false },
  createShare: {
    id: `new-${name}`,
    name: 'A new share',
    description: 'With a note',
    expiration: '1-day',
    recipients: [],
    security: { password: 'secret', maxViews: 3 },
    notifyOnDownload: true,
    senderName: 'Somebody',
    reverseShare: 'no-such-link',
  },
  updateShare: {
    name: 'Changed',
    description: 'Changed',
    expiration: '1-day',
    security: { password: 'secret', maxViews: 3 },
    recipients: ['somebody@floe.test'],
    notifyOnDownload: true,
  },
  openShare: { password: 'secret' },
  createReverseShare: {
    shareExpiration: '1-day',
    maxShareSize: '1000000',
    maxUseCount: 3,
    sendEmailNotification: true,
    name: 'For files',
    password: 'secret',
    token: `link-${name}`,
    askSenderName: true,
    publicAccess: true,
    simplified: false,
  },
  updateReverseShare: {
    shareExpiration: '1-day',
    maxShareSize: '1000000',
    remainingUses: 3,
    sendEmailNotification: true,
    name: 'Changed',
    password: 'secret',
    askSenderName: true,
    publicAccess: true,
    simplified: false,
  },
  unlockReverseShare: { password: 'secret' },
  selectFiles: { files: ['00000000-0000-4000-8000-000000000000'] },
}

const hostileValues: unknown[] = [
  null,
  7,
  -1,
  1.5,
  1e21,
  true,
  '',
  'ab',
  'x'.repeat(300),
  'x'.repeat(20_000),
  'abc\u0000def',
  'line\nbreak',
  'bidi\u202eexe',
  '../../etc/passwd',
  '%2e%2e%2f',
  'a\\b\\c',
  "'; drop table users; --",
  [],
  ['abc'],
  [[[]]],
  {},
  { toString: 1 },
  { password: -1, maxViews: -1 },
  { maxViews: 1e21 },
  { maxViews: '3' },
  { password: 'x'.repeat(300) },
]

/** What the schema itself refuses: the edge must refuse it too. */
function hostileBodies(route: RouteName, { body }: RouteContract): unknown[] {
  if (!body) return []
  const good = goodBodies[route]
  const fields = Object.keys(good ?? {})
  const candidates = [
    ...[[], null, 'text', 7, true, {}, [null], ['text'], [{}], [{ key: 'share.maxSize' }]],
    ...fields.map((field) => ({ ...good, [field]: undefined })),
    ...fields.flatMap((field) => hostileValues.map((value) => ({ ...good, [field]: value }))),
  ]
  return candidates.filter((candidate) => {
    const wire: unknown = JSON.parse(JSON.stringify(candidate))
    return !body.safeParse(wire).success
  })
}

const absentId = '00000000-0000-4000-8000-000000000000'

/** With parameters that are well-formed, so that the body alone is to blame. */
function pathOf({ path }: RouteContract): string {
  return path
    .replace('/users/:id', `/users/${absentId}`)
    .replace('/reverseShares/:id', `/reverseShares/${absentId}`)
    .replace(':sessionId', absentId)
    .replace(':passkeyId', absentId)
    .replace(':email', account.email)
    .replace(':provider', 'github')
    .replace(/:\w+/g, shareId)
}

describe.each(routeList.filter(([, route]) => route.body))('the body of %s', (route, contract) => {
  const base = { method: contract.method.toUpperCase(), path: pathOf(contract) }

  test('that breaks its rules is refused', async () => {
    const cases = hostileBodies(route, contract).map((json) => ({
      ...base,
      what: JSON.stringify(json).slice(0, 120),
      json,
    }))
    if (!['openShare', 'openShareByForm', 'unlockReverseShare'].includes(route))
      expect(cases.length).toBeGreaterThan(5)
    await expectAllRefused(cases)
    if (contract.access !== 'admin') return
    await expectAllRefused(cases, ({ code }) => code === 'validation_failed', admins)
  })
})

/** The body of a caller without the right is not looked at: there is no such link, and nothing to remove. */
const refusedBefore: Partial<Record<RouteName, ErrorCode>> = {
  updateReverseShare: 'reverse_share_not_found',
  deleteReverseShare: 'reverse_share_not_found',
  deleteFile: 'share_locked',
}

describe.each(
  routeList.filter(
    ([, { raw, file, form, method }]) =>
      !raw && !file && !form && ['post', 'patch', 'put', 'delete'].includes(method),
  ),
)('a body for %s', (route, contract) => {
  const base = { method: contract.method.toUpperCase(), path: pathOf(contract) }
  const headers = { 'Content-Type': 'application/json' }
  const callers = contract.access === 'admin' ? admins : clients

  function isFor(code: ErrorCode): (outcome: Outcome) => boolean {
    const expected = refusedBefore[route] ?? code
    return (outcome) => outcome.status === errorEntry(expected).status && outcome.code === expected
  }

  test('that is not JSON is refused', async () => {
    const broken = ['{', '{"a":', '[1,]', 'undefined', '{"a":1}}', '\u0000', "{'a':1}", '{"a":NaN}']
    await expectAllRefused(
      broken.map((bytes) => ({ ...base, what: bytes, bytes, headers })),
      isFor('invalid_json'),
      callers,
    )
  })

  test('in a charset or coding nobody knows is refused', async () => {
    await expectAllRefused([
      {
        ...base,
        what: 'charset',
        bytes: '{}',
        headers: { 'Content-Type': 'application/json; charset=x' },
      },
      { ...base, what: 'coding', bytes: '{}', headers: { ...headers, 'Content-Encoding': 'x' } },
      {
        ...base,
        what: 'no gzip',
        bytes: '{}',
        headers: { ...headers, 'Content-Encoding': 'gzip' },
      },
    ])
  })

  test('above the limit is refused', async () => {
    const bytes = JSON.stringify({ name: 'x'.repeat(JSON_BODY_LIMIT_BYTES) })
    await expectAllRefused(
      [{ ...base, what: 'big', bytes, headers }],
      isFor('payload_too_large'),
      callers,
    )
  })
})

const hostileParameters = [
  '%2e%2e%2f',
  '%2e%2e',
  '..%2f..%2f..%2fetc%2fpasswd',
  '..%5c..%5cboot.ini',
  '%00',
  'abc%00def',
  '%0d%0aSet-Cookie:%20a=b',
  'x'.repeat(101),
  'x'.repeat(5_000),
  '%',
  '%ff',
  '%e0%a4%a',
  '%f0%9f%98%80',
  '%20',
  "'%20or%201=1--",
  '__proto__',
  'constructor',
  '*',
  'share%2fzip',
]

/** Their response to an id that cannot be is one like others: it is not taken, there is nothing in it. */
const lenientRoutes: RouteName[] = [
  'isShareIdAvailable',
  // Leads to the page of that share, which says that there is none.
  'openShareByForm',
  'isReverseShareTokenAvailable',
  'listAdminConfig',
]

/** Their parameter is a file's name, which may be anything: `hostile-names` has what becomes of it. */
const naming: RouteName[] = ['putFile', 'postFile', 'describeResumable']

describe.each(routeList.filter(([name, { path }]) => path.includes(':') && !naming.includes(name)))(
  'the path of %s',
  (route, contract) => {
    const parameters = contract.path.split('/').filter((segment) => segment.startsWith(':'))

    test.each(parameters)('with something hostile for %s is refused', async (parameter) => {
      const json = goodBodies[route]
      const cases = hostileParameters.map((value) => ({
        what: value.slice(0, 60),
        method: contract.method.toUpperCase(),
        path: pathOf({ ...contract, path: contract.path.replace(parameter, value) }),
        ...(json && { json }),
        headers: { 'Tus-Resumable': '1.0.0' },
      }))
      await expectAllRefused(cases, (outcome) =>
        lenientRoutes.includes(route)
          ? outcome.status === 200 || outcome.status === 303 || isRefusal(outcome)
          : isRefusal(outcome),
      )
    })
  },
)

test('a share id that exists is refused and its share stays', () =>
  expectAllRefused(
    [
      {
        what: 'taken',
        method: 'POST',
        path: '/api/shares',
        json: { id: shareId, expiration: '1-day', recipients: [] },
      },
    ],
    ({ status, code }) => status === 400 && code === 'share_id_taken',
  ))

test('an e-mail address or a name that is taken is refused', () =>
  expectAllRefused(
    [
      { email: account.email, username: 'somebody_else' },
      { email: 'somebody.else@floe.test', username: account.username },
      { email: account.email.toUpperCase(), username: 'somebody_else' },
    ].map((fields) => ({
      what: JSON.stringify(fields),
      method: 'POST',
      path: '/api/auth/signUp',
      json: { password: 'long enough', ...fields },
    })),
    ({ status, code }) => status === 400 && /^(email|username)_taken$/.test(code ?? ''),
  ))

test('a route that is not there is not found', () =>
  expectAllRefused(
    [
      '/api',
      '/api/nope',
      '/api/shares/a/b/c/d',
      '/API/shares',
      '/api/Shares',
      '/api//shares',
      '/api/auth/signUp/x',
      '/api/reverseShares/a/b/c',
      '/api/../api/shares/all',
      '/api/%61dmin/x',
      '/internal/auth/identify',
    ].flatMap((path) =>
      ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({
        what: `${method} ${path}`,
        method,
        path,
      })),
    ),
  ))

test('a method that a route does not have is refused', () => {
  const taken = new Set(routeList.map(([, { method, path }]) => `${method} ${path}`))
  const cases = routeList.flatMap(([, contract]) =>
    ['post', 'put', 'patch', 'delete']
      .filter((method) => !taken.has(`${method} ${contract.path}`))
      // Another route may own the same path by a parameter of its own.
      .filter(() => !contract.path.endsWith('/zip') && !/\/(all|me)$/.test(contract.path))
      .map((method) => ({
        what: `${method} ${contract.path}`,
        method: method.toUpperCase(),
        path: pathOf(contract),
      })),
  )
  return expectAllRefused(cases)
})

test('cookies that are no cookies of ours are no reason to fail', async () => {
  const responses: HttpResponse[] = []
  for (const { url } of floes) {
    for (const cookie of [
      'access_token=%',
      'a=b; ;;=;',
      `access_token=${'x'.repeat(8_000)}`,
      '=',
    ]) {
      responses.push(
        await createClient(url).send('GET', '/api/users/me', { headers: { Cookie: cookie } }),
      )
    }
  }
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([403]))
})

test('a refused caller can go on', async () => {
  for (const { url } of floes) {
    const client = await signIn(url, account)
    expect((await client.send('GET', '/api/users/me')).status).toBe(200)
  }
})
