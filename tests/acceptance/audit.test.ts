import type { AuditEntry } from '@floe/contracts'
import { startSmtpCatcher } from '@floe/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newAccount, signIn, signInAsAdmin, signUp } from './world/accounts.ts'
import { makeToken } from './world/api-tokens.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import {
  changeSettings,
  readPasswordToken,
  requestPasswordReset,
  sendMailsTo,
  sendNoMails,
} from './world/mail.ts'
import { codeOf, publishShare } from './world/shares.ts'
import { beginSignIn, enrolTotp, finishSignIn, totpCode, wrongTotpCode } from './world/totp.ts'

onOneArrangement('embedded', 'audit log', (floe) => {
  let admin: Client
  beforeAll(async () => {
    admin = await signInAsAdmin(floe)
  })
  afterAll(() => changeSettings(admin, [{ key: 'general.auditRetention', value: '' }]))

  async function list(query: string): Promise<AuditEntry[]> {
    const response = await admin.send('GET', `/api/admin/audit?${query}`)
    expect(response.status, response.text).toBe(200)
    return response.body as AuditEntry[]
  }

  /** The log's first entry of this kind about the target, once it is there: within seconds. */
  async function find(action: string, target: string): Promise<AuditEntry> {
    return vi.waitFor(
      async () => {
        const [entry] = await list(`action=${action}&target=${encodeURIComponent(target)}`)
        expect(entry, `${action} ${target}`).toBeDefined()
        return entry as AuditEntry
      },
      { timeout: 5_000, interval: 100 },
    )
  }

  async function idOf(client: Client): Promise<string> {
    return ((await client.send('GET', '/api/users/me')).body as { id: string }).id
  }

  test('tells what administrators do to accounts, and from where', async () => {
    const { username, email, password } = newAccount()
    const json = { username, email, password }
    const created = await admin.send('POST', '/api/users', { json })
    const { id } = created.body as { id: string }
    const entry = await find('user.created', username)
    expect(entry).toMatchObject({
      actor: { id: await idOf(admin), address: admin.localAddress ?? '127.0.0.1' },
      target: { type: 'user', id, name: username },
    })
    expect(entry.actor.name).not.toBeNull()
    expect(Math.abs(Date.parse(entry.at) - Date.now())).toBeLessThan(60_000)

    const changes = { isAdmin: true, password: newAccount().password, email: `new-${email}` }
    await admin.send('PATCH', `/api/users/${id}`, { json: changes })
    await admin.send('PATCH', `/api/users/${id}`, { json: { isAdmin: false } })
    await admin.send('DELETE', `/api/users/${id}`)
    expect((await find('user.updated', username)).details).toEqual({ fields: 'email' })
    for (const action of ['promoted', 'password_set', 'demoted', 'deleted']) {
      await find(`user.${action}`, username)
    }
  })

  test('tells sign-ins that succeed and that fail, and not what was typed', async () => {
    const account = newAccount()
    await signUp(floe, account)
    const { username, email } = account
    expect((await find('user.registered', username)).actor.name).toBe(username)
    const guesser = createClient(floe.url)
    const json = { email, password: 'a wrong guess' }
    await guesser.send('POST', '/api/auth/signIn', { json })
    const failed = await find('sign_in.failed', username)
    expect(failed.actor).toMatchObject({ id: null, name: null })
    expect(failed.actor.address).toBe(guesser.localAddress ?? '127.0.0.1')
    await signIn(floe.url, account)
    expect((await find('sign_in.succeeded', username)).details).toEqual({ by: 'password' })

    const secret = await enrolTotp(await signIn(floe.url, account), account)
    await find('totp.enabled', username)
    const step = await beginSignIn(floe.url, account)
    await finishSignIn(step, wrongTotpCode(secret))
    expect((await finishSignIn(step, totpCode(secret, 1))).status).toBe(200)
    await vi.waitFor(async () => {
      for (const outcome of ['failed', 'succeeded']) {
        const [latest] = await list(`action=sign_in.${outcome}&target=${username}`)
        expect(latest?.details).toEqual({ by: 'second_factor' })
      }
    }, 5_000)
    const stranger = { email: 'nobody-typed-this@floe.test', password: 'a wrong guess' }
    await createClient(floe.url).send('POST', '/api/auth/signIn', { json: stranger })
    await vi.waitFor(async () => {
      const entries = await list('action=sign_in.failed')
      expect(entries.some(({ target }) => target === null)).toBe(true)
    }, 5_000)
    const all = await admin.send('GET', '/api/admin/audit?action=sign_in.failed&limit=200')
    expect(all.text).not.toContain('nobody-typed-this')
  })

  test('tells what people do to their own way in', async () => {
    const account = newAccount()
    const client = await signUp(floe, account)
    const other = await signIn(floe.url, account)
    const sessions = (await client.send('GET', '/api/auth/sessions')).body as {
      id: string
      isCurrent: boolean
    }[]
    const ended = sessions.find(({ isCurrent }) => !isCurrent)?.id ?? ''
    await client.send('DELETE', `/api/auth/sessions/${ended}`)
    expect((await find('session.ended', ended)).target?.name).toBe(account.username)
    expect((await other.send('GET', '/api/users/me')).status).toBe(403)
    const { password } = newAccount()
    const json = { oldPassword: account.password, password }
    expect((await client.send('PATCH', '/api/auth/password', { json })).status).toBe(200)
    await find('password.changed', account.username)
    await client.send('DELETE', '/api/auth/sessions')
    await find('session.all_ended', account.username)
  })

  test('tells which tokens are made and revoked, and by whom', async () => {
    const owner = await signUp(floe)
    const { id, token } = await makeToken(owner, { name: 'Backup', scopes: ['shares:read'] })
    const made = await find('token.created', id)
    expect(made).toMatchObject({
      actor: { id: await idOf(owner) },
      target: { type: 'token', id, name: 'Backup' },
      details: { scopes: 'shares:read' },
    })
    expect((await admin.send('DELETE', `/api/tokens/${id}`)).status).toBe(204)
    const revoked = await find('token.revoked', id)
    expect(revoked.actor.id).toBe(await idOf(admin))
    expect(JSON.stringify([made, revoked])).not.toContain(token)
  })

  test('tells resets and test messages', async () => {
    const catcher = await startSmtpCatcher()
    try {
      await sendMailsTo(catcher, admin)
      const account = newAccount()
      await signUp(floe, account)
      await requestPasswordReset(floe.url, account.email)
      const token = await readPasswordToken(catcher, account.email)
      const json = { token, password: newAccount().password }
      await createClient(floe.url).send('POST', '/api/auth/resetPassword', { json })
      await find('password.reset', account.username)
      const to = `${account.username}@mail.test`
      await admin.send('POST', '/api/configs/admin/testEmail', { json: { email: to } })
      expect((await find('mail.tested', to)).details).toEqual({ outcome: 'sent' })
    } finally {
      await sendNoMails(admin)
      await catcher.stop()
    }
  })

  test("tells what administrators do to shares that are not theirs, and no owner's own", async () => {
    const owner = await signUp(floe)
    const { id } = await publishShare(owner, { 'a.txt': 'a' }, { name: 'Theirs' })
    await owner.send('PATCH', `/api/shares/${id}`, { json: { name: 'Renamed by its owner' } })
    await admin.send('PATCH', `/api/shares/${id}`, { json: { name: 'Renamed' } })
    await admin.send('DELETE', `/api/shares/${id}`)
    // Each comes by a job of its own.
    await Promise.all([find('share.edited', id), find('share.deleted', id)])
    const entries = await list(`target=${id}`)
    expect(entries.map(({ action }) => action)).toEqual(['share.deleted', 'share.edited'])
    expect(entries[0]?.target).toEqual({ type: 'share', id, name: 'Renamed' })
    expect(entries[1]).toMatchObject({
      details: { fields: 'name' },
      actor: { id: await idOf(admin) },
    })
  })

  test('tells each time that an administrator opens the share of somebody else', async () => {
    const owner = await signUp(floe)
    const security = { password: 'puffin-7', maxViews: 1 }
    const { id } = await publishShare(owner, { 'a.txt': 'a' }, { name: 'Theirs', security })
    const path = `/api/shares/${id}/openAsAdministrator`
    expect(codeOf(await admin.send('POST', path))).toBe('forbidden')
    await changeSettings(admin, [{ key: 'share.allowAdminAccessAllShares', value: true }])
    // Every part knows within seconds.
    await expect
      .poll(async () => (await admin.send('POST', path)).status, { timeout: 5_000 })
      .toBe(200)
    const seen = await admin.send('GET', `/api/shares/${id}`)
    expect(seen).toMatchObject({ status: 200, body: { files: [{ name: 'a.txt' }] } })
    const own = await owner.send('GET', `/api/shares/${id}/from-owner`)
    expect(own.body).toMatchObject({ views: 0 })
    expect(await find('share.opened', id)).toMatchObject({
      actor: { id: await idOf(admin) },
      target: { type: 'share', id, name: 'Theirs' },
    })
    expect(codeOf(await owner.send('POST', path))).toBe('forbidden')

    await changeSettings(admin, [{ key: 'share.allowAdminAccessAllShares', value: '' }])
    await expect
      .poll(async () => codeOf(await admin.send('POST', path)), { timeout: 5_000 })
      .toBe('forbidden')
  })

  test('tells which settings changed, and never what a secret is', async () => {
    await changeSettings(admin, [{ key: 'oauth.oidc-clientSecret', value: 'do-not-tell' }])
    const { target } = await find('setting.changed', 'oauth.oidc-clientSecret')
    expect(target?.type).toBe('setting')
    const response = await admin.send('GET', '/api/admin/audit?action=setting.changed&limit=200')
    expect(response.text).not.toContain('do-not-tell')
    await changeSettings(admin, [{ key: 'oauth.oidc-clientSecret', value: '' }])
  })

  test('nobody but administrators reads it, and nobody writes it', async () => {
    const user = await signUp(floe)
    for (const client of [user, createClient(floe.url)]) {
      for (const path of ['/api/admin/audit', '/api/admin/audit/export']) {
        const response = await client.send('GET', path)
        expect(response.status).toBe(403)
        expect(codeOf(response)).toBe('forbidden')
      }
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const response = await admin.send(method, '/api/admin/audit', { json: {} })
      expect(response.status).toBe(404)
    }
  })

  test('believes nobody who is not a trusted proxy about an address', async () => {
    const account = newAccount()
    const client = createClient(floe.url)
    await client.send('POST', '/api/auth/signUp', {
      json: account,
      headers: { 'X-Forwarded-For': '203.0.113.9', Forwarded: 'for=203.0.113.9' },
    })
    const { actor } = await find('user.registered', account.username)
    expect(actor.address).toBe(client.localAddress ?? '127.0.0.1')
  })

  test('exports as CSV in which no name is a formula', async () => {
    const owner = await signUp(floe)
    const { id } = await publishShare(owner, { 'a.txt': 'a' }, { name: '=1+1' })
    await admin.send('DELETE', `/api/shares/${id}`)
    await find('share.deleted', id)
    const response = await admin.send('GET', `/api/admin/audit/export?target=${id}`)
    expect(response.status).toBe(200)
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(response.headers['content-disposition']).toMatch(/^attachment; filename="audit-/)
    const lines = response.text.trimEnd().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(`"share","'=1+1","${id}"`)
    await vi.waitFor(async () => {
      expect(await list('action=audit.exported')).not.toEqual([])
    }, 5_000)
  })

  test('keeps entries for as many days as the setting says', async () => {
    const read = async () => {
      const response = await admin.send('GET', '/api/configs/admin/general')
      const variables = response.body as { key: string; defaultValue: string }[]
      return variables.find(({ key }) => key === 'general.auditRetention')
    }
    expect(await read()).toMatchObject({ defaultValue: '90', value: null })
    for (const value of [-1, 1.5, 'long', 36_501]) {
      const json = [{ key: 'general.auditRetention', value }]
      expect((await admin.send('PATCH', '/api/configs/admin', { json })).status).toBe(400)
    }
  })
})
