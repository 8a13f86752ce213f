import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { beginSending, createReverseShare, reverseShareInput } from '../testing/reverse-shares.ts'
import { newShareId, openShareWorld, shareInput, type ShareWorld } from '../testing/share-world.ts'

let world: ShareWorld
beforeAll(async () => {
  world = await openShareWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  Object.assign(world.settings, {
    'general.requireEmailVerification': true,
    'smtp.enabled': true,
    'share.allowUnauthenticatedShares': false,
  })
})

const unverified = (options = {}) => {
  const { browser, identity } = world.signIn(options)
  identity.emailStanding = 'owed'
  return browser
}
const refusal = { status: 403, body: { code: 'email_not_verified' } }
const share = () => ({ body: shareInput(newShareId()) })

it('an account that owes a proof of its address makes no share, of either kind', async () => {
  const browser = unverified()
  expect(await browser.send('POST', '/api/shares', share())).toMatchObject(refusal)
  const reverse = { body: reverseShareInput() }
  expect(await browser.send('POST', '/api/reverseShares', reverse)).toMatchObject(refusal)
  world.settings['share.allowUnauthenticatedShares'] = true
  expect(await browser.send('POST', '/api/shares', share())).toMatchObject(refusal)
})

it('it sends through the reverse share of somebody else as visitors do', async () => {
  const token = await createReverseShare(world.signIn().browser)
  await beginSending(world, { sender: unverified(), token })
})

it('owes nothing once no proof is required, without mail, or as an administrator', async () => {
  const browser = unverified()
  world.settings['general.requireEmailVerification'] = false
  expect((await browser.send('POST', '/api/shares', share())).status).toBe(201)
  world.settings['general.requireEmailVerification'] = true
  world.settings['smtp.enabled'] = false
  expect((await browser.send('POST', '/api/shares', share())).status).toBe(201)
  world.settings['smtp.enabled'] = true
  const admin = unverified({ isAdmin: true })
  expect((await admin.send('POST', '/api/shares', share())).status).toBe(201)
})
