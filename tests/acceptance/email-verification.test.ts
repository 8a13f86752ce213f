import { type RunningFloe, type SmtpCatcher, startFloe, startSmtpCatcher } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newAccount, signUp } from './world/accounts.ts'
import { ownArrangements } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { changeSettings, readEmailToken, sendMailsTo } from './world/mail.ts'
import { newShareId } from './world/shares.ts'

// A Floe of its own: nobody else may sign up under its settings.
describe.each(ownArrangements)('the proof of an address, %s', (arrangement) => {
  let floe: RunningFloe
  let catcher: SmtpCatcher
  let admin: Client
  beforeAll(async () => {
    catcher = await startSmtpCatcher()
    floe = await startFloe({ arrangement })
    admin = await signUp(floe)
  })
  afterAll(async () => {
    await floe?.stop()
    await catcher?.stop()
  })

  const isRequired = { key: 'general.requireEmailVerification', value: true }
  const makeShare = (client: Client) =>
    client.send('POST', '/api/shares', {
      json: { id: newShareId(), expiration: '1-days', recipients: [] },
    })

  test('cannot be asked for where no mail is sent', async () => {
    const response = await admin.send('PATCH', '/api/configs/admin', { json: [isRequired] })
    expect(response).toMatchObject({ status: 400, body: { code: 'config_needs_smtp' } })
  })

  test('is owed before the first share by those who sign up from then on', async () => {
    const older = await signUp(floe)
    await sendMailsTo(catcher, admin)
    await changeSettings(admin, [isRequired])
    // Other processes know the setting within a second.
    const { newcomer, email } = await vi.waitFor(async () => {
      const account = newAccount()
      const client = await signUp(floe, account)
      expect((await client.send('GET', '/api/users/me')).body).toMatchObject({
        mustVerifyEmail: true,
      })
      return { newcomer: client, email: account.email }
    })
    await vi.waitFor(async () =>
      expect(await makeShare(newcomer)).toMatchObject({
        status: 403,
        body: { code: 'email_not_verified' },
      }),
    )
    expect((await makeShare(older)).status).toBe(201)

    const json = { token: await readEmailToken(catcher, email) }
    const stranger = createClient(floe.url)
    expect((await stranger.send('POST', '/api/auth/verify', { json })).status).toBe(204)
    expect((await makeShare(newcomer)).status).toBe(201)
  })
})
