import { randomUUID } from 'node:crypto'
import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Browser } from '../testing/browser.ts'
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
let owner: Browser
beforeAll(async () => {
  catcher = await startSmtpCatcher()
  world = await openShareWorld()
})
afterAll(async () => {
  await world.close()
  await catcher.stop()
})
beforeEach(async () => {
  world.now = new Date('2026-05-01T12:00:00.000Z')
  world.useSmtp(catcher)
  owner = world.signIn().browser
  await world.database.knex('rate_limits').delete()
})
afterEach(() => expect(world.failures).toEqual([]))

const minute = 60_000
const later = (ms: number) => {
  world.now = new Date(world.now.getTime() + ms)
}
const newAddress = () => `${randomUUID().slice(0, 8)}@example.org`
const refusal = (code: string) => ({ status: 403, body: { code } })
const wanted = refusal('share_recipient_required')
const wrong = refusal('invalid_share_code')

const publishFor = (recipients: string[], security: Record<string, unknown> = {}) =>
  publishShare(world, owner, {
    recipients,
    security: { restrictToRecipients: true, ...security },
  })
const viewsOf = async (id: string) =>
  (await world.database.knex('shares').where({ id }).first('views'))?.views
const open = (browser: Browser, id: string, body: Record<string, unknown> = {}) =>
  browser.send('POST', `/api/shares/${id}/token`, { body })
const ask = (browser: Browser, id: string, email: string) =>
  browser.send('POST', `/api/shares/${id}/code`, { body: { email } })

/** Sends what was asked for, as the worker does. */
async function sendCodes(): Promise<void> {
  const { knex } = world.database
  const events = await knex('outbox').where({ name: 'share-code.requested' }).orderBy('id')
  for (const { id, payload } of events) {
    await world.run('send-share-code', payload)
    await knex('outbox').where({ id }).delete()
  }
}

const codesTo = (email: string) =>
  catcher.messages
    .filter(({ subject }) => subject === 'A code for your files')
    .filter(({ to }) => to.some((address) => address.toLowerCase() === email))
    .map(({ text }) => /^(\d{6})$/m.exec(text)?.[1] ?? '')

async function codeFor(id: string, email: string, browser = world.visit()): Promise<string> {
  // No two codes are sent at one moment.
  later(1)
  expect((await ask(browser, id, email)).status).toBe(202)
  await sendCodes()
  return codesTo(email).at(-1) ?? ''
}

describe('a share for its recipients alone', () => {
  it('opens by a code that was sent to a recipient, and counts as any visit', async () => {
    const email = newAddress()
    const id = await publishFor([email.toUpperCase()], { maxViews: 1 })
    const visitor = world.visit()
    expect(await open(visitor, id)).toMatchObject(wanted)
    const code = await codeFor(id, email)
    expect(await viewsOf(id)).toBe(0)
    expect((await open(visitor, id, { email, code })).status).toBe(200)
    expect(await viewsOf(id)).toBe(1)
    expect((await visitor.send('GET', `/api/shares/${id}`)).status).toBe(200)
    const again = { email, code: await codeFor(id, email) }
    expect(await open(world.visit(), id, again)).toMatchObject(refusal('share_max_views_exceeded'))
  })

  it('responds alike to every address, and writes to recipients alone', async () => {
    const email = newAddress()
    const stranger = newAddress()
    const id = await publishFor([email])
    const [known, unknown] = [await ask(owner, id, email), await ask(owner, id, stranger)]
    expect(unknown.status).toBe(known.status)
    expect(unknown.body).toEqual(known.body)
    await sendCodes()
    expect(codesTo(email)).toHaveLength(1)
    expect(codesTo(stranger)).toEqual([])
    expect(await open(world.visit(), id, { email: stranger, code: '000000' })).toMatchObject(wrong)
  })

  it('says at each refusal whether it is encrypted, as a code is of no use without its key', async () => {
    const recipients = [newAddress()]
    const security = { restrictToRecipients: true, password: 'pine and fir' }
    for (const encrypted of [true, undefined]) {
      const id = await publishShare(world, owner, { recipients, security, encrypted })
      for (const refused of [
        await open(world.visit(), id),
        await world.visit().send('GET', `/api/shares/${id}`),
      ]) {
        expect(refused).toMatchObject(wanted)
        expect((refused.body as { encrypted?: true }).encrypted).toBe(encrypted)
      }
    }
  })

  it('takes a code once, for ten minutes, from the recipient it was sent to', async () => {
    const [email, other] = [newAddress(), newAddress()]
    const id = await publishFor([email, other])
    const code = await codeFor(id, email)
    expect(await open(world.visit(), id, { email: other, code })).toMatchObject(wrong)
    expect((await open(world.visit(), id, { email, code })).status).toBe(200)
    expect(await open(world.visit(), id, { email, code })).toMatchObject(wrong)
    const late = await codeFor(id, email)
    later(10 * minute)
    expect(await open(world.visit(), id, { email, code: late })).toMatchObject(wrong)
  })

  it('takes the code of another share as none', async () => {
    const email = newAddress()
    const [one, other] = [await publishFor([email]), await publishFor([email])]
    const code = await codeFor(one, email)
    expect(await open(world.visit(), other, { email, code })).toMatchObject(wrong)
  })

  it('ends a code after five wrong ones, also of many at once', async () => {
    const email = newAddress()
    const id = await publishFor([email])
    const code = await codeFor(id, email)
    const guess = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    const guesses = Array.from({ length: 5 }, () => open(world.visit(), id, { email, code: guess }))
    for (const response of await Promise.all(guesses)) expect(response).toMatchObject(wrong)
    expect(await open(world.visit(), id, { email, code })).toMatchObject(wrong)
    const next = await codeFor(id, email)
    expect((await open(world.visit(), id, { email, code: next })).status).toBe(200)
  })

  it('sends ten codes an hour for one address, and counts for any', async () => {
    const [email, stranger] = [newAddress(), newAddress()]
    const id = await publishFor([email])
    for (const asked of [email, stranger]) {
      for (let count = 0; count < 10; count += 1) {
        const browser = world.visit()
        const response = await browser.send('POST', `/api/shares/${id}/code`, {
          body: { email: asked },
          headers: { 'x-forwarded-for': `198.51.${count}.7` },
        })
        expect(response.status).toBe(202)
      }
      expect((await ask(world.visit(), id, asked)).status).toBe(429)
    }
  })

  it('asks for its password as well, and the code lasts until both are right', async () => {
    const email = newAddress()
    const id = await publishFor([email], { password: 'sesame' })
    const visitor = world.visit()
    expect(await open(visitor, id, { password: 'sesame' })).toMatchObject(wanted)
    const code = await codeFor(id, email)
    expect(await open(visitor, id, { email, code })).toMatchObject(
      refusal('share_password_required'),
    )
    expect(await open(visitor, id, { email, code, password: 'wrong' })).toMatchObject(
      refusal('wrong_password'),
    )
    expect((await open(visitor, id, { email, code, password: 'sesame' })).status).toBe(200)
  })

  it('opens for the account of a recipient once its address is verified', async () => {
    const { browser, identity } = world.signIn()
    const id = await publishFor([identity.email])
    expect(await open(browser, id)).toMatchObject(wanted)
    identity.emailStanding = 'verified'
    expect(await browser.send('GET', `/api/shares/${id}`)).toMatchObject(
      refusal('share_token_required'),
    )
    expect((await open(browser, id)).status).toBe(200)
    expect((await browser.send('GET', `/api/shares/${id}`)).status).toBe(200)
    const other = world.signIn()
    other.identity.emailStanding = 'verified'
    expect(await open(other.browser, id)).toMatchObject(wanted)
  })

  it('opens for its owner, without a view', async () => {
    const id = await publishFor([newAddress()])
    expect((await owner.send('GET', `/api/shares/${id}`)).status).toBe(200)
    expect((await open(owner, id)).status).toBe(200)
    expect(await viewsOf(id)).toBe(0)
  })

  it('closes to a recipient who is taken off the list, and to their code', async () => {
    const [email, other] = [newAddress(), newAddress()]
    const id = await publishFor([email, other])
    const visitor = world.visit()
    await open(visitor, id, { email, code: await codeFor(id, email) })
    const code = await codeFor(id, email)
    await owner.send('PATCH', `/api/shares/${id}`, { body: { recipients: [other] } })
    expect(await visitor.send('GET', `/api/shares/${id}`)).toMatchObject(wanted)
    expect(await open(world.visit(), id, { email, code })).toMatchObject(wrong)
  })

  it('closes to visitors who came before it was restricted, and opens to all afterwards', async () => {
    const id = await publishShare(world, owner, { recipients: [newAddress()] })
    const visitor = world.visit()
    await open(visitor, id)
    expect((await visitor.send('GET', `/api/shares/${id}`)).status).toBe(200)
    const restrict = (restrictToRecipients: boolean) =>
      owner.send('PATCH', `/api/shares/${id}`, { body: { security: { restrictToRecipients } } })
    expect(await restrict(true)).toMatchObject({
      status: 200,
      body: { security: { restrictToRecipients: true } },
    })
    expect(await visitor.send('GET', `/api/shares/${id}`)).toMatchObject(wanted)
    const { body } = await restrict(false)
    expect((body as { security: object }).security).not.toHaveProperty('restrictToRecipients')
    expect((await visitor.send('GET', `/api/shares/${id}`)).status).toBe(200)
  })

  it('sends nothing for a share that opens for everybody', async () => {
    const email = newAddress()
    const id = await publishShare(world, owner, { recipients: [email] })
    expect(await codeFor(id, email)).toBe('')
    expect((await ask(owner, 'no-such-share', email)).status).toBe(404)
    expect((await ask(owner, id, 'no address')).status).toBe(400)
  })

  it('cannot be made where recipients are sent nothing', async () => {
    const security = { restrictToRecipients: true }
    const make = () =>
      owner.send('POST', '/api/shares', {
        body: shareInput(newShareId(), { recipients: [newAddress()], security }),
      })
    const disabled = { status: 400, body: { code: 'smtp_disabled' } }
    const id = await publishShare(world, owner)
    for (const key of ['smtp.enabled', 'email.enableShareEmailRecipients'] as const) {
      world.useSmtp(catcher)
      world.settings[key] = false
      expect(await make()).toMatchObject(disabled)
      const change = await owner.send('PATCH', `/api/shares/${id}`, { body: { security } })
      expect(change).toMatchObject(disabled)
    }
  })
})

describe('other doors of such a share', () => {
  const authorize = (id: string, credentials: Record<string, string | null> = {}) =>
    world.service.port.authorizeRead({
      shareId: id,
      access: 'direct',
      credentials: anonymousCredentials(credentials),
    })

  it('a link to a single file takes a recipient, and tells nothing ahead', async () => {
    const { browser, identity } = world.signIn()
    const id = await publishFor([identity.email], { maxViews: 1 })
    const accessToken = browser.cookies.get('access_token') ?? null
    const closed = { code: 'share_recipient_required' }
    await expect(authorize(id)).rejects.toMatchObject(closed)
    await expect(authorize(id, { accessToken })).rejects.toMatchObject(closed)
    await expect(world.service.port.previewShare({ shareId: id })).rejects.toMatchObject(closed)
    identity.emailStanding = 'verified'
    await expect(authorize(id, { accessToken })).resolves.toMatchObject({ shareId: id })
    expect(await viewsOf(id)).toBe(1)
    // From the same place, with the same program, but nobody.
    await expect(authorize(id)).rejects.toMatchObject(closed)
  })

  it('takes the cookie of a visit that began by a code', async () => {
    const email = newAddress()
    const id = await publishFor([email])
    const visitor = world.visit()
    await open(visitor, id, { email, code: await codeFor(id, email) })
    const shareToken = visitor.cookies.get(`share_${id}_token`) ?? null
    await expect(authorize(id, { shareToken })).resolves.toMatchObject({ shareId: id })
  })

  it('forms ask for the code and give it, and lead back to the page', async () => {
    const email = newAddress()
    const id = await publishFor([email])
    const visitor = world.visit()
    const form = (path: string, body: Record<string, string>) =>
      visitor.send('POST', `/api/shares/${id}/${path}`, {
        body: new URLSearchParams(body).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    const asked = await form('codeByForm', { email })
    expect(asked).toMatchObject({ status: 303 })
    expect(asked.headers.location).toBe(`/share/${id}?codeRequested=1`)
    await sendCodes()
    const refused = await form('open', { email, code: 'none' })
    expect(refused.headers.location).toBe(`/share/${id}?refused=invalid_share_code`)
    const opened = await form('open', { email, code: codesTo(email).at(-1) ?? '' })
    expect(opened.headers.location).toBe(`/share/${id}`)
    expect((await visitor.send('GET', `/api/shares/${id}`)).status).toBe(200)
  })
})

it('forgets codes after a day', async () => {
  const email = newAddress()
  await codeFor(await publishFor([email]), email)
  later(25 * 60 * minute)
  await world.run('expire-shares')
  expect(await world.database.knex('share_codes')).toEqual([])
})
