import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Account, newAccount, signIn, signInAsAdmin, signUp } from './world/accounts.ts'
import { onBothArrangements } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { linesAbout, type LogLine, searchLogs } from './world/log.ts'
import {
  changeSettings,
  readPasswordToken,
  requestPasswordReset,
  sendMailsTo,
  sendNoMails,
} from './world/mail.ts'
import { createReverseShare, openSender } from './world/reverse-shares.ts'
import { completeShare, createShare, openShare, publishShare, sendChunk } from './world/shares.ts'
import { goThrough, newProviderAccount, switchSocialLoginOn } from './world/social.ts'
import { append, beginUpload, createUpload, offsetOf } from './world/tus.ts'
import { beginSignIn, enrolTotp, finishSignIn, totpCode } from './world/totp.ts'

function randomSecret(): string {
  return `hush-${randomBytes(12).toString('hex')}`
}

function paint(): Buffer {
  return PNG.sync.write(new PNG({ width: 640, height: 480, colorType: 2 }))
}

onBothArrangements('the log', (floe) => {
  let catcher: SmtpCatcher
  let admin: Client
  beforeAll(async () => {
    catcher = await startSmtpCatcher()
    admin = await signInAsAdmin(floe)
    await sendMailsTo(catcher, admin)
  })
  afterAll(async () => {
    await sendNoMails(admin)
    await catcher.stop()
  })

  async function waitForLines(
    requestId: string,
    wanted: readonly Record<string, unknown>[],
  ): Promise<LogLine[]> {
    return vi.waitFor(
      async () => {
        const lines = await linesAbout(floe, requestId)
        expect(lines).toEqual(
          expect.arrayContaining(wanted.map((one) => expect.objectContaining(one))),
        )
        return lines
      },
      { timeout: 30_000, interval: 200 },
    )
  }

  test('follows an upload by the id of its request through every service to its jobs', async () => {
    const owner = await signUp(floe)
    const shareId = await createShare(owner)
    const picture = paint()
    const { headers } = await createUpload(owner, {
      shareId,
      filename: 'picture.png',
      lengthBytes: picture.length,
      bytes: picture,
    })
    const requestId = String(headers['x-request-id'])
    const finished = { service: 'file', msg: 'upload finished', sizeBytes: picture.length }

    const lines = await waitForLines(requestId, [
      { service: 'gateway', msg: 'request', method: 'POST', route: '/api/uploads', status: 201 },
      { service: 'share', msg: 'upload granted', shareId },
      { service: 'file', msg: 'upload started', lengthBytes: picture.length },
      finished,
      { service: 'worker', msg: 'event relayed', event: 'upload.finished' },
      { service: 'worker', msg: 'job done', job: 'hash-share-files' },
      { service: 'worker', msg: 'job done', job: 'make-thumbnails' },
    ])

    const whole = lines.find(({ msg }) => msg === finished.msg)
    const about = { shareUid: whole?.['shareUid'], fileId: whole?.['fileId'] }
    expect(lines).toContainEqual(expect.objectContaining({ event: 'upload.finished', about }))
    if (floe.arrangement === 'split') {
      // Each process tells of its part of the way.
      for (const service of ['file', 'share']) {
        expect(lines).toContainEqual(expect.objectContaining({ service, msg: 'request' }))
      }
    }
  })

  test('follows a message by the request that owed it', async () => {
    const account = newAccount()
    await signUp(floe, account)
    const path = `/api/auth/resetPassword/${encodeURIComponent(account.email)}`
    const { headers } = await createClient(floe.url).send('POST', path)

    const lines = await waitForLines(String(headers['x-request-id']), [
      { service: 'gateway', route: '/api/auth/resetPassword/:email', status: 202 },
      { service: 'worker', msg: 'event relayed', event: 'password-reset.requested' },
      { service: 'worker', msg: 'job done', job: 'send-password-reset' },
    ])
    expect(JSON.stringify(lines)).not.toContain(account.email)
  })

  test('names the request in every response, and believes no id of a stranger', async () => {
    const client = createClient(floe.url)
    const headers = { 'X-Request-Id': 'made-up-by-a-stranger' }
    const ids = new Set<string>()
    for (const path of [
      '/',
      '/nowhere',
      '/api/nowhere',
      '/api/health',
      '/api/configs',
      '/api/users/me',
      '/api/shares/absent/files/zip',
      '/%',
    ]) {
      const response = await client.send('GET', path, { headers })
      expect(response.headers['x-request-id'], path).toMatch(
        /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/,
      )
      ids.add(String(response.headers['x-request-id']))
    }
    expect(ids.size).toBe(8)
  })

  test('shows no secret of anything people do', async () => {
    const account: Account = { ...newAccount(), password: randomSecret() }
    const { url } = floe
    const known = new Set<string | undefined>([account.password])
    const last = await doEverything(account)

    // What came before it is written by now.
    await waitForLines(last, [{ service: 'gateway', msg: 'request' }])
    const noted = (await readFile(floe.secretsFile, 'utf8')).split('\n')
    expect(noted).toEqual(expect.arrayContaining([...known]))
    await searchLogs([floe.logFile], floe.secretsFile)

    /** Returns the id of its last request. */
    async function doEverything({ password, ...person }: Account): Promise<string> {
      const owner = await signUp(floe, { ...person, password })
      await createClient(url).send('POST', '/api/auth/signIn', {
        json: { email: person.email, password: randomSecret() },
      })
      await shareWith(owner, randomSecret())
      await receiveThrough(owner)

      const resetTo = randomSecret()
      await requestPasswordReset(url, person.email)
      const token = await readPasswordToken(catcher, person.email)
      await createClient(url).send('GET', `/auth/resetPassword/${token}`)
      const reset = await createClient(url).send('POST', '/api/auth/resetPassword', {
        json: { token, password: resetTo },
      })
      expect(reset.status, reset.text).toBe(204)
      const changedTo = randomSecret()
      const renewed = await signIn(url, { email: person.email, password: resetTo })
      await renewed.send('POST', '/api/auth/token')
      const changed = await renewed.send('PATCH', '/api/auth/password', {
        json: { oldPassword: resetTo, password: changedTo },
      })
      expect(changed.status, changed.text).toBe(200)

      const final = { ...person, password: changedTo }
      const totpSecret = await enrolTotp(renewed, final)
      known.add(token).add(changedTo).add(totpSecret)
      const codes = await renewed.send('POST', '/api/auth/totp/recoveryCodes', {
        json: { password: changedTo },
      })
      expect(codes.status, codes.text).toBe(201)
      const begun = await beginSignIn(url, final)
      known.add(begun.loginToken)
      await begun.client.send('GET', `/auth/totp/${begun.loginToken}?redirect=%2Fupload`)
      const finished = await finishSignIn(begun, totpCode(totpSecret, 1))
      expect(finished.status, finished.text).toBe(200)

      await changeSettings(admin, [
        { key: 'smtp.username', value: 'floe' },
        { key: 'smtp.password', value: randomSecret() },
        { key: 'smtp.tls', value: 'opportunistic' },
      ])
      // The catcher takes no names and passwords: the refusal is told to the administrator.
      await admin.send('POST', '/api/configs/admin/testEmail', {
        json: { email: 'admin@floe.test' },
      })
      await changeSettings(admin, [
        { key: 'smtp.username', value: '' },
        { key: 'smtp.password', value: '' },
        { key: 'smtp.tls', value: '' },
      ])
      const social = await switchSocialLoginOn(floe)
      await goThrough(createClient(url), 'oidc', { account: newProviderAccount() })
      await social.configure({ 'oauth.oidc-clientSecret': randomSecret() })
      await goThrough(createClient(url), 'oidc', { account: newProviderAccount() })
      await social.close()
      for (const name of ['access_token', 'refresh_token'])
        known.add(begun.client.cookies.get(name))
      const out = await begun.client.send('POST', '/api/auth/signOut')
      return String(out.headers['x-request-id'])
    }

    async function shareWith(owner: Client, password: string): Promise<void> {
      const { id, fileIds } = await publishShare(
        owner,
        { 'a.txt': 'one', 'b.txt': 'two' },
        { security: { password } },
      )
      const visitor = createClient(url)
      await openShare(visitor, id, randomSecret())
      expect((await openShare(visitor, id, password)).status).toBe(200)
      expect((await visitor.send('GET', `/share/${id}`)).status).toBe(200)
      expect((await visitor.send('GET', `/api/shares/${id}/files/zip`)).status).toBe(200)
      const file = await visitor.send('GET', `/api/shares/${id}/files/${fileIds[0]}`)
      expect(file.text).toBe('one')

      const other = await createShare(owner)
      const path = await beginUpload(owner, { shareId: other, filename: 'c.txt', lengthBytes: 6 })
      // The upload's address is its capability: nobody is signed in here.
      known
        .add(password)
        .add(path.split('/').at(-1))
        .add(visitor.cookies.get(`share_${id}_token`))
      const anybody = createClient(url)
      expect((await append(anybody, path, 0, 'abc')).status).toBe(204)
      expect((await append(anybody, path, 1, 'abc')).status).toBe(409)
      expect(await offsetOf(anybody, path)).toBe(3)
      expect((await append(anybody, path, 3, 'def')).status).toBe(204)
      expect((await sendChunk(owner, other, { name: 'd.txt' }, 'chunk')).status).toBe(201)
      await completeShare(owner, other)
    }

    async function receiveThrough(owner: Client): Promise<void> {
      const password = randomSecret()
      const token = await createReverseShare(owner, { password })
      known.add(password).add(token)
      const visitor = createClient(url)
      await visitor.send('GET', `/upload/${token}`)
      await visitor.send('GET', `/api/reverseShares/${token}`)
      await visitor.send('POST', `/api/reverseShares/${token}/access`, { json: { password } })
      const openToken = await createReverseShare(owner)
      const sender = openSender(floe, openToken)
      await publishShare(sender, { 'e.txt': 'for you' })
    }
  })
})

test('a search of the logs finds what is there', async () => {
  await expect(searchLogs([import.meta.filename], import.meta.filename)).rejects.toThrow(
    /lines of the logs hold a secret/,
  )
})
