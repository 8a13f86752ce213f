import type { SharingRules } from '@floe/contracts'
import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Browser } from '../testing/browser.ts'
import {
  beginSending,
  complete,
  createReverseShare,
  readOwn,
  sendShare,
} from '../testing/reverse-shares.ts'
import {
  anonymousCredentials,
  newShareId,
  openShareWorld,
  publishShare,
  shareInput,
  type ShareWorld,
} from '../testing/share-world.ts'

let world: ShareWorld
let catcher: SmtpCatcher
beforeAll(async () => {
  catcher = await startSmtpCatcher()
  world = await openShareWorld()
  world.useSmtp(catcher)
})
afterAll(async () => {
  await world.close()
  await catcher.stop()
})
beforeEach(() => setRules({}))
afterEach(() => expect(world.failures).toEqual([]))

/** The rules without which nothing is asked. */
const none: SharingRules = {
  maxExpiration: 0,
  allowNeverExpires: true,
  passwordRequired: false,
  recipientsOnly: false,
}

function setRules(rules: Partial<SharingRules>) {
  for (const [name, value] of Object.entries({ ...none, ...rules })) {
    Object.assign(world.settings, { [`share.${name}`]: value })
  }
  world.settings['share.adminsMayExceedExpiration'] = false
  world.settings['share.allowUnauthenticatedShares'] = false
}

interface Terms {
  expiration?: string
  recipients?: string[]
  security?: Record<string, unknown>
}

interface Case {
  rule: Partial<SharingRules>
  /** What breaks it, with what the rules for everybody do not ask for. */
  bad: Terms
  code: string
  good: Terms
}

/** One case for each rule there is, or this does not compile. */
const cases: Record<keyof SharingRules, Case> = {
  maxExpiration: {
    rule: { maxExpiration: 48 },
    bad: { expiration: '3-days' },
    code: 'share_expiration_too_long',
    good: { expiration: '2-days' },
  },
  allowNeverExpires: {
    rule: { allowNeverExpires: false },
    bad: { expiration: 'never' },
    code: 'share_needs_end',
    good: { expiration: '900-years' },
  },
  passwordRequired: {
    rule: { passwordRequired: true },
    bad: { security: { maxViews: 3 } },
    code: 'share_needs_password',
    good: { security: { password: 'a secret word' } },
  },
  recipientsOnly: {
    rule: { recipientsOnly: true },
    bad: { recipients: [] },
    code: 'share_needs_recipients',
    good: { recipients: ['one@example.org'] },
  },
}
const table = Object.entries(cases).map(([name, one]) => ({ name, ...one }))

type Answer = { status: number; body: unknown }

const post = (browser: Browser, path: string, body?: unknown) =>
  browser.send('POST', path, body === undefined ? {} : { body })

/** The first response that is a refusal, else the last. */
async function draft(maker: Browser, terms: Terms, how: 'complete' | 'openEarly') {
  const id = newShareId()
  const created = await post(maker, '/api/shares', shareInput(id, { expiration: '1-day' }))
  expect(created.status).toBe(201)
  await world.addFile(id)
  const announced = { fileCount: 1, size: 5, files: [{ name: 'a', size: 5 }] }
  const body = { ...terms, ...(how === 'openEarly' && { announced }) }
  return post(maker, `/api/shares/${id}/${how}`, body)
}

/** As clients of the chunk protocol do: all terms come first. */
async function createWhole(maker: Browser, terms: Terms): Promise<Answer> {
  const id = newShareId()
  const created = await post(maker, '/api/shares', shareInput(id, { ...terms }))
  if (created.status !== 201) return created
  await world.addFile(id)
  return post(maker, `/api/shares/${id}/complete`)
}

/** One request that makes, fills and completes a share; as a response. */
async function direct(maker: Browser, terms: Terms): Promise<Answer> {
  const credentials = anonymousCredentials({
    accessToken: maker.cookies.get('access_token') ?? null,
  })
  const all = { recipients: [], ...terms }
  const { port } = world.service
  try {
    const { grant, ownerToken } = await port.beginShare({
      terms: all,
      credentials,
      language: null,
    })
    await world.addFile(grant.shareId)
    await port.completeShare({
      shareId: grant.shareId,
      expiration: terms.expiration,
      credentials: { ...credentials, ownerToken },
    })
    return { status: 202, body: {} }
  } catch (error) {
    const { code, status = 400 } = error as { code?: string; status?: number }
    return { status, body: { code } }
  }
}

const ways = {
  'a draft that is completed': (maker: Browser, terms: Terms) => draft(maker, terms, 'complete'),
  'a draft that opens early': (maker: Browser, terms: Terms) => draft(maker, terms, 'openEarly'),
  'a share created whole': createWhole,
  'a direct upload': direct,
}

describe.each(Object.entries(ways))('%s', (_, share) => {
  it.each(table)('keeps to $name', async ({ rule, bad, code, good }) => {
    const { browser } = world.signIn()
    expect((await share(browser, bad)).status).toBeLessThan(300)
    setRules(rule)
    expect(await share(browser, bad)).toMatchObject({ status: 400, body: { code } })
    expect((await share(browser, good)).status).toBeLessThan(300)
  })

  it.each(table)('keeps to $name without an account', async ({ rule, bad, code, good }) => {
    setRules(rule)
    world.settings['share.allowUnauthenticatedShares'] = true
    expect(await share(world.visit(), bad)).toMatchObject({ status: 400, body: { code } })
    expect((await share(world.visit(), good)).status).toBeLessThan(300)
  })

  it.each(table)('is held to $name of its account, or freed by it', async (one) => {
    const held = world.signIn({ sharingExceptions: one.rule })
    const { code } = one
    expect(await share(held.browser, one.bad)).toMatchObject({ status: 400, body: { code } })
    setRules(one.rule)
    const freed = world.signIn({ sharingExceptions: none })
    expect((await share(freed.browser, one.bad)).status).toBeLessThan(300)
  })
})

describe('a share that is edited', () => {
  const closed = {
    security: { password: 'a secret word', restrictToRecipients: true },
    recipients: ['one@example.org'],
  }
  const edits: Record<keyof SharingRules, unknown[]> = {
    maxExpiration: [{ expiration: '3-days' }],
    allowNeverExpires: [{ expiration: 'never' }],
    passwordRequired: [{ security: { removePassword: true } }],
    recipientsOnly: [{ security: { restrictToRecipients: false } }, { recipients: [] }],
  }

  it.each(table)('loses nothing that $name asks for', async ({ name, rule, code }) => {
    const { browser } = world.signIn()
    const id = await publishShare(world, browser, closed)
    setRules(rule)
    for (const body of edits[name as keyof SharingRules]) {
      const path = `/api/shares/${id}`
      expect(await browser.send('PATCH', path, { body })).toMatchObject({
        status: 400,
        body: { code },
      })
    }
  })

  it.each(table)('from before $name is changed in all else', async ({ rule }) => {
    const { browser } = world.signIn()
    const id = await publishShare(world, browser, { expiration: 'never' })
    setRules(rule)
    const renamed = await browser.send('PATCH', `/api/shares/${id}`, { body: { name: 'New' } })
    expect(renamed.status).toBe(200)
    expect((await browser.send('DELETE', `/api/shares/${id}/complete`)).status).toBeLessThan(300)
    expect((await post(browser, `/api/shares/${id}/complete`)).status).toBe(202)
  })
})

describe('a share that opens for its recipients alone by the rule', () => {
  it('is closed to everybody else though nobody asked for that', async () => {
    setRules({ recipientsOnly: true })
    const id = await publishShare(world, world.signIn().browser, {
      recipients: ['one@example.org'],
    })
    const entered = await post(world.visit(), `/api/shares/${id}/token`, {})
    expect(entered).toMatchObject({ status: 403, body: { code: 'share_recipient_required' } })
  })

  it('cannot be made where no mail is sent', async () => {
    setRules({ recipientsOnly: true })
    world.settings['email.enableShareEmailRecipients'] = false
    const share = createWhole(world.signIn().browser, { recipients: ['one@example.org'] })
    expect(await share).toMatchObject({ status: 400, body: { code: 'smtp_disabled' } })
    world.settings['email.enableShareEmailRecipients'] = true
  })
})

describe('what is sent through a reverse share', () => {
  const closing = table.filter(({ name }) => /password|recipients/.test(name))

  it.each(table)('needs no $name of its own', async ({ rule }) => {
    const { browser } = world.signIn()
    const token = await createReverseShare(browser, { shareExpiration: '1-day' })
    setRules(rule)
    const sender = world.visit()
    const id = await beginSending(world, { sender, token })
    expect((await complete(sender, id)).status).toBe(202)
  })

  it.each(closing)('is for its receiver alone under $name', async ({ rule }) => {
    const { browser } = world.signIn()
    const token = await createReverseShare(browser, { publicAccess: true })
    setRules(rule)
    const id = await sendShare(world, { sender: world.visit(), token })
    const entered = await post(world.visit(), `/api/shares/${id}/token`, {})
    expect(entered).toMatchObject({ status: 403, body: { code: 'private_share' } })
    expect((await browser.send('GET', `/api/shares/${id}`)).status).toBe(200)
  })

  it.each(closing)('is opened to others by no link under $name', async ({ rule }) => {
    const { browser } = world.signIn()
    const before = await createReverseShare(browser)
    setRules(rule)
    const token = await createReverseShare(browser, { publicAccess: true })
    expect(await readOwn(browser, token)).toMatchObject({ publicAccess: false })
    const { id } = await readOwn(browser, before)
    const opened = await browser.send('PATCH', `/api/reverseShares/${id}`, {
      body: { publicAccess: true },
    })
    const code = 'reverse_share_must_be_private'
    expect(opened).toMatchObject({ status: 400, body: { code } })
  })

  it('follows what its receiver is exempt from', async () => {
    const { browser } = world.signIn({ sharingExceptions: { passwordRequired: false } })
    setRules({ passwordRequired: true })
    const token = await createReverseShare(browser, { publicAccess: true })
    const id = await sendShare(world, { sender: world.visit(), token })
    expect((await post(world.visit(), `/api/shares/${id}/token`, {})).status).toBe(200)
  })
})

describe('the longest expiration', () => {
  it('of an account counts before what administrators may exceed, and a token never widens it', async () => {
    setRules({ maxExpiration: 24 })
    world.settings['share.adminsMayExceedExpiration'] = true
    const free = world.signIn({ isAdmin: true })
    expect((await createWhole(free.browser, { expiration: 'never' })).status).toBe(202)
    const held = world.signIn({ isAdmin: true, sharingExceptions: { maxExpiration: 48 } })
    const code = 'share_expiration_too_long'
    const share = createWhole(held.browser, { expiration: '3-days' })
    expect(await share).toMatchObject({ status: 400, body: { code } })
    expect((await createWhole(held.browser, { expiration: '2-days' })).status).toBe(202)
  })
})
