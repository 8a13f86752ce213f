import { type LdapServer, startLdapServer } from '@floe/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { setUpTotp } from '../testing/authenticator.ts'
import { type Browser, openBrowser, register } from '../testing/browser.ts'
import { newPerson, settingsOf, trySignIn } from '../testing/directory-world.ts'
import { createPasskeyDevice } from '../testing/passkey-device.ts'
import { APP_URL } from '../testing/social-flow.ts'
import {
  enter,
  goThrough,
  newAccount,
  type SocialWorld,
  startSocialWorld,
} from '../testing/social-world.ts'

let world: SocialWorld
let ldap: LdapServer
beforeAll(async () => {
  ;[world, ldap] = await Promise.all([startSocialWorld(), startLdapServer()])
  Object.assign(world.server.settings, settingsOf(ldap))
  await register(world.server)
})
beforeEach(() => world.server.database.knex('rate_limits').delete())
afterEach(() => {
  Object.assign(world.server.settings, {
    'general.secondFactor': 'optional',
    'general.longestSession': 0,
    'general.requireApproval': false,
    'general.allowedEmailDomains': '',
  })
})
afterAll(async () => {
  await Promise.all([world.close(), ldap.close()])
})

/** What lets somebody in: cookies, or a token in each request. */
type Entered = { browser: Browser; headers?: Record<string, string> }

/** Somebody who has an account and a way into it. */
interface Person {
  /** Fails where that way is closed. */
  enter(): Promise<Entered>
  id: string
}

type Way = 'password' | 'passkey' | 'provider' | 'directory' | 'access token' | 'device code'
type Rule = 'approval' | 'second factor' | 'longest session' | 'email domains'

const me = ({ browser, headers }: Entered) =>
  browser.send('GET', '/api/users/me', undefined, headers)
const idOf = async (entered: Entered) => String((await me(entered)).body['id'])

async function enteredBy(
  sent: Promise<{ status: number; text: string }>,
  browser: Browser,
): Promise<Entered> {
  const { status, text } = await sent
  if (status !== 200) throw new Error(text)
  return { browser }
}

async function withToken(token: string): Promise<Person> {
  const headers = { authorization: `Bearer ${token}` }
  const id = await idOf({ browser: openBrowser(world.server), headers })
  return {
    id,
    enter: async () => {
      const entered = { browser: openBrowser(world.server), headers }
      const { status, text } = await me(entered)
      if (status !== 200) throw new Error(text)
      return entered
    },
  }
}

/** Each way in there is, or this does not compile. */
const ways: Record<Way, () => Promise<Person>> = {
  password: async () => {
    const { id, email, password } = await register(world.server)
    const send = (browser: Browser) => browser.send('POST', '/api/auth/signIn', { email, password })
    return {
      id,
      enter: () => {
        const browser = openBrowser(world.server)
        return enteredBy(send(browser), browser)
      },
    }
  },

  passkey: async () => {
    const { id, browser: first, password } = await register(world.server)
    const device = createPasskeyDevice({ origin: APP_URL })
    const asked = await first.send('POST', '/api/auth/passkeys/options', { password })
    const passkey = device.create(JSON.parse(asked.text))
    await first.send('POST', '/api/auth/passkeys', { name: 'Phone', passkey })
    return {
      id,
      enter: async () => {
        const browser = openBrowser(world.server)
        const begun = await browser.send('POST', '/api/auth/signIn/passkey/options', {})
        const { challenge } = begun.body['options'] as { challenge: string }
        const used = device.use({ challenge, rpId: 'localhost' })
        const body = { passkey: used }
        return enteredBy(browser.send('POST', '/api/auth/signIn/passkey', body), browser)
      },
    }
  },

  provider: async () => {
    const account = newAccount()
    const id = await idOf({ browser: await enter(world.server, 'oidc', account) })
    return {
      id,
      enter: async () => {
        const browser = openBrowser(world.server)
        const { location } = await goThrough(browser, 'oidc', { account })
        if (location !== `${APP_URL}/`) throw new Error(String(location))
        return { browser }
      },
    }
  },

  directory: async () => {
    const person = newPerson(`person${Math.random().toString(36).slice(2)}`)
    await ldap.addPerson(person)
    const first = await trySignIn(world.server, person.uid, person.password)
    return {
      id: await idOf({ browser: first.browser }),
      enter: async () => {
        const response = await trySignIn(world.server, person.uid, person.password)
        if (response.status !== 200) throw new Error(response.text)
        return { browser: response.browser }
      },
    }
  },

  'access token': async () => {
    const { browser } = await register(world.server)
    const input = { name: 'Backup', scopes: ['account:read'] }
    const made = await browser.send('POST', '/api/tokens', input)
    return withToken(String(made.body['token']))
  },

  'device code': async () => {
    const { browser } = await register(world.server)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const post = (path: string, fields: Record<string, string>) =>
      openBrowser(world.server).send(
        ...(['POST', `/api/oauth/device/${path}`] as const),
        new URLSearchParams(fields).toString(),
        form,
      )
    const begun = await post('authorize', {
      ...{ client_id: 'floe', client_name: 'laptop', scope: 'account:read' },
    })
    const { user_code: userCode, device_code: deviceCode } = begun.body
    await browser.send('POST', `/api/oauth/device/${String(userCode)}`, { approve: true })
    const redeemed = await post('token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      ...{ device_code: String(deviceCode), client_id: 'floe' },
    })
    return withToken(String(redeemed.body['access_token']))
  },
}

/** Whether somebody comes in by that way, and may do what accounts may. */
async function comesIn(person: Person): Promise<boolean> {
  const entered = await person.enter().catch(() => null)
  if (entered === null) return false
  if (entered.headers) return true
  const accessToken = entered.browser.cookies.get('access_token') ?? null
  return (await world.server.port.identify({ accessToken })) !== null
}

interface RuleCase {
  /** Switches it on, and does what it is about. Whether the person is in then. */
  judge(person: Person): Promise<boolean>
  /** Who gets in by which way under it. */
  expected: Record<Way, boolean>
}

const everyWay = (isIn: boolean): Record<Way, boolean> => ({
  password: isIn,
  passkey: isIn,
  provider: isIn,
  directory: isIn,
  'access token': isIn,
  'device code': isIn,
})

/** Each rule there is, or this does not compile. */
const rules: Record<Rule, RuleCase> = {
  approval: {
    judge: async (person) => {
      await world.server.database
        .knex('users')
        .where({ id: person.id })
        .update({ is_waiting: true })
      return comesIn(person)
    },
    expected: everyWay(false),
  },
  'second factor': {
    judge: (person) => {
      world.server.settings['general.secondFactor'] = 'everybody'
      return comesIn(person)
    },
    // A passkey is one.
    expected: { ...everyWay(false), passkey: true },
  },
  'longest session': {
    judge: async (person) => {
      world.server.settings['general.longestSession'] = 1
      const { browser, headers } = await person.enter()
      world.server.passSeconds(3_600)
      const renewal = headers ? me({ browser, headers }) : browser.send('POST', '/api/auth/token')
      return (await renewal).status === 200
    },
    // Tokens have an end of their own.
    expected: { ...everyWay(false), 'access token': true, 'device code': true },
  },
  'email domains': {
    judge: (person) => {
      world.server.settings['general.allowedEmailDomains'] = 'company.example'
      return comesIn(person)
    },
    // They are about accounts that are made, and not about those there are.
    expected: everyWay(true),
  },
}

describe.each(Object.entries(ways))('by %s', (way, make) => {
  test('somebody comes in without a rule', async () => {
    expect(await comesIn(await make())).toBe(true)
  })

  test.each(Object.entries(rules))('the rule of %s holds', async (_, { judge, expected }) => {
    expect(await judge(await make())).toBe(expected[way as Way])
  })
})

test('an authenticator app stands for the second factor whatever the way in', async () => {
  const person = await register(world.server)
  const { browser, id } = person
  await setUpTotp(world.server, person)
  world.server.settings['general.secondFactor'] = 'everybody'
  const accessToken = browser.cookies.get('access_token') ?? null
  expect(await world.server.port.identify({ accessToken })).toMatchObject({ userId: id })
})
