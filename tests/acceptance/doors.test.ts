import { type RouteName, routes, shareTokenCookie } from '@floe/contracts'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { newAccount, signUp } from './world/accounts.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type HttpResponse, type Client, createClient } from './world/http-client.ts'
import { reverseShareInput } from './world/reverse-shares.ts'
import { callRoute, type Target, tus } from './world/route-calls.ts'
import {
  addFile,
  codeOf,
  completeShare,
  createShare,
  openShare,
  publishShare,
} from './world/shares.ts'
import { beginSignIn, enrolTotp } from './world/totp.ts'
import { beginUpload, offsetStream } from './world/tus.ts'

interface Door {
  /** What a stranger gets: everything, nothing (with these codes), or only by an unguessable URL. */
  stranger: 'open' | readonly string[]
  /** Set where the response is or describes what a share holds. */
  yields?: true
}

const absentUpload = ['upload_not_found']
const readCodes = ['share_password_required', 'share_token_required']

/** One row a route: a route that is added to the contracts needs one before the tests pass. */
const doors: Record<RouteName, Door> = {
  health: { stranger: 'open' },
  healthDetails: { stranger: 'open' },
  healthLive: { stranger: 'open' },
  healthReady: { stranger: 'open' },
  signUp: { stranger: 'open' },
  signIn: { stranger: 'open' },
  signInTotp: { stranger: 'open' },
  requestPasskey: { stranger: 'open' },
  signInPasskey: { stranger: 'open' },
  confirmEmail: { stranger: 'open' },
  requestPasswordReset: { stranger: 'open' },
  resetPassword: { stranger: 'open' },
  listSocialProviders: { stranger: 'open' },
  beginSocialSignIn: { stranger: 'open' },
  finishSocialSignIn: { stranger: 'open' },
  signOut: { stranger: 'open' },
  renewToken: { stranger: 'open' },
  listConfig: { stranger: 'open' },
  isShareIdAvailable: { stranger: 'open' },
  describeUploads: { stranger: 'open' },
  openShare: { stranger: 'open' },
  openShareByForm: { stranger: 'open' },
  requestShareCode: { stranger: 'open' },
  requestShareCodeByForm: { stranger: 'open' },
  getReverseShare: { stranger: 'open' },
  unlockReverseShare: { stranger: 'open' },

  putFile: { stranger: ['forbidden'] },
  postFile: { stranger: ['forbidden'] },
  authorizeDevice: { stranger: 'open' },
  redeemDeviceCode: { stranger: 'open' },
  receiveLogoutToken: { stranger: 'open' },
  getDeviceRequest: { stranger: ['forbidden'] },
  decideDeviceRequest: { stranger: ['forbidden'] },
  postForm: { stranger: ['forbidden'] },
  describeResumable: { stranger: 'open' },
  inspectResumable: { stranger: ['upload_not_found'] },
  appendResumable: { stranger: ['upload_not_found'] },
  terminateResumable: { stranger: ['upload_not_found'] },
  deleteByLink: { stranger: ['share_not_found'] },
  confirmDeleteByLink: { stranger: ['share_not_found'] },
  createToken: { stranger: ['forbidden'] },
  listTokens: { stranger: ['forbidden'] },
  revokeToken: { stranger: ['forbidden'] },
  createWebhook: { stranger: ['forbidden'] },
  listWebhooks: { stranger: ['forbidden'] },
  updateWebhook: { stranger: ['forbidden'] },
  deleteWebhook: { stranger: ['forbidden'] },
  rotateWebhookSecret: { stranger: ['forbidden'] },
  testWebhook: { stranger: ['forbidden'] },
  listWebhookDeliveries: { stranger: ['forbidden'] },
  replayWebhookDelivery: { stranger: ['forbidden'] },
  replayWebhook: { stranger: ['forbidden'] },
  changePassword: { stranger: ['forbidden'] },
  enableTotp: { stranger: ['forbidden'] },
  verifyTotp: { stranger: ['forbidden'] },
  disableTotp: { stranger: ['forbidden'] },
  createRecoveryCodes: { stranger: ['forbidden'] },
  listPasskeys: { stranger: ['forbidden'] },
  beginPasskey: { stranger: ['forbidden'] },
  addPasskey: { stranger: ['forbidden'] },
  renamePasskey: { stranger: ['forbidden'] },
  removePasskey: { stranger: ['forbidden'] },
  listSessions: { stranger: ['forbidden'] },
  endSession: { stranger: ['forbidden'] },
  endSessions: { stranger: ['forbidden'] },
  listSocialLinks: { stranger: ['forbidden'] },
  unlinkSocialAccount: { stranger: ['forbidden'] },
  trySocialProvider: { stranger: ['forbidden'] },
  tryDirectory: { stranger: ['forbidden'] },
  exportOwnData: { stranger: ['forbidden'] },
  getOwnUser: { stranger: ['forbidden'] },
  updateOwnUser: { stranger: ['forbidden'] },
  requestEmailVerification: { stranger: ['forbidden'] },
  deleteOwnUser: { stranger: ['forbidden'] },
  createShare: { stranger: ['forbidden'] },
  listOwnShares: { stranger: ['forbidden'] },
  listUnfinishedUploads: { stranger: ['forbidden'] },
  createReverseShare: { stranger: ['forbidden'] },
  listOwnReverseShares: { stranger: ['forbidden'] },
  isReverseShareTokenAvailable: { stranger: ['forbidden'] },
  updateReverseShare: { stranger: ['forbidden'] },
  deleteReverseShare: { stranger: ['forbidden'] },

  getOwnStorage: { stranger: ['forbidden'] },
  listStorageUse: { stranger: ['forbidden'] },
  listUsers: { stranger: ['forbidden'] },
  createUser: { stranger: ['forbidden'] },
  updateUser: { stranger: ['forbidden'] },
  deleteUser: { stranger: ['forbidden'] },
  listAllShares: { stranger: ['forbidden'] },
  openShareAsAdministrator: { stranger: ['forbidden'] },
  listAdminConfig: { stranger: ['forbidden'] },
  previewEmail: { stranger: ['forbidden'] },
  setLogo: { stranger: ['forbidden'] },
  removeLogo: { stranger: ['forbidden'] },
  setDarkLogo: { stranger: ['forbidden'] },
  removeDarkLogo: { stranger: ['forbidden'] },
  finishSetup: { stranger: ['forbidden'] },
  sendTestEmail: { stranger: ['forbidden'] },
  getOverview: { stranger: ['forbidden'] },
  getLatestRelease: { stranger: ['forbidden'] },
  retryJob: { stranger: ['forbidden'] },
  listAudit: { stranger: ['forbidden'] },
  exportAudit: { stranger: ['forbidden'] },
  updateConfig: { stranger: ['forbidden'] },

  getShare: { stranger: readCodes, yields: true },
  getShareMetaData: { stranger: readCodes, yields: true },
  downloadArchive: { stranger: readCodes, yields: true },
  selectFiles: { stranger: readCodes, yields: true },
  downloadDigests: { stranger: readCodes, yields: true },
  downloadFile: { stranger: readCodes, yields: true },
  getThumbnail: { stranger: readCodes, yields: true },

  getShareAsOwner: { stranger: ['forbidden'], yields: true },
  getShareActivity: { stranger: ['forbidden'], yields: true },
  updateShare: { stranger: ['forbidden'], yields: true },
  deleteShare: { stranger: ['forbidden'] },
  completeShare: { stranger: ['forbidden'] },
  openShareEarly: { stranger: ['forbidden'] },
  reopenShare: { stranger: ['forbidden'] },
  discardEdit: { stranger: ['forbidden'] },
  uploadChunk: { stranger: ['forbidden', 'share_locked'] },
  uploadBatch: { stranger: ['forbidden', 'share_locked'] },
  deleteFile: { stranger: ['forbidden', 'share_locked'] },
  createUpload: { stranger: ['forbidden', 'share_locked'] },

  inspectUpload: { stranger: absentUpload },
  appendToUpload: { stranger: absentUpload },
  overrideUploadMethod: { stranger: absentUpload },
  terminateUpload: { stranger: absentUpload },
}

const names = Object.keys(doors) as RouteName[]
const closedDoors = names.filter((name) => doors[name].stranger !== 'open')
const yieldingDoors = names.filter((name) => doors[name].yields)
const secretName = 'secret-plans.txt'

function expectRefused(response: HttpResponse, what: string): void {
  expect(response.status, what).toBeGreaterThanOrEqual(401)
  expect(response.status, what).toBeLessThan(500)
  expect(codeOf(response), what).toMatch(/^[a-z_]+$/)
  const told = response.text + JSON.stringify(response.headers)
  expect(told, what).not.toContain(secretName)
  expect(response.headers.etag ?? 'none', what).not.toMatch(/^"/)
  expect(response.headers['content-range'], what).toBeUndefined()
}

test('every route has a row', () => {
  expect(names.sort()).toEqual(Object.keys(routes).sort())
})

test('what is open to strangers is what the contracts say', () => {
  const open = names.filter((name) => doors[name].stranger === 'open')
  const anyone = Object.entries(routes).filter(([, route]) => route.access === 'anyone')
  expect(open.sort()).toEqual(anyone.map(([name]) => name).sort())
})

onOneArrangement('split', 'doors', (floe) => {
  let owner: Client
  /** A user who has nothing to do with any share here. */
  let other: Client
  /** Of somebody who knows the password of an account and lacks its second factor. */
  let loginToken: string
  /** What is refused changes nothing, so that all may ask for the same. */
  let closed: Target
  /** A second one. */
  let another: Target
  /** What a target names besides a share. */
  const others = { userId: '', sessionId: '', reverseShareId: '', uploadId: 'A'.repeat(22) }
  const secret = { name: 'Secret', security: { password: 'open sesame' } }
  beforeAll(async () => {
    owner = await signUp(floe)
    other = await signUp(floe)
    const half = newAccount()
    await enrolTotp(await signUp(floe, half), half)
    loginToken = (await beginSignIn(floe.url, half)).loginToken
    others.userId = ((await owner.send('GET', '/api/users/me')).body as { id: string }).id
    const sessions = await owner.send('GET', '/api/auth/sessions')
    others.sessionId = (sessions.body as { id: string }[])[0]?.id ?? ''
    await owner.send('POST', '/api/reverseShares', { json: reverseShareInput })
    const reverseShares = await owner.send('GET', '/api/reverseShares')
    others.reverseShareId = (reverseShares.body as { id: string }[])[0]?.id ?? ''
    closed = await publishSecret()
    another = await publishSecret()
  })

  function createHalfSignedIn(): Client {
    const client = createClient(floe.url)
    for (const cookie of ['access_token', 'refresh_token', 'device']) {
      client.cookies.set(cookie, loginToken)
    }
    return client
  }

  async function publishSecret(options = {}): Promise<Target> {
    const { id, fileIds } = await publishShare(
      owner,
      { [secretName]: 'burn after reading', 'b.txt': 'b' },
      { ...secret, ...options },
    )
    return { ...others, shareId: id, fileId: fileIds[0] ?? '' }
  }

  describe.each(closedDoors)('%s', (name) => {
    test('is closed to strangers, to the half signed in, and to users where it is not theirs', async () => {
      const { stranger } = doors[name]
      const response = await callRoute(createClient(floe.url), name, closed)
      expectRefused(response, name)
      expect(stranger).toContain(codeOf(response))
      const half = await callRoute(createHalfSignedIn(), name, closed)
      expectRefused(half, name)
      expect(stranger).toContain(codeOf(half))
      if (routes[name].access === 'user') return
      const theirs = await callRoute(other, name, closed)
      expectRefused(theirs, name)
      expect(stranger).toContain(codeOf(theirs))
    })
  })

  describe.each(yieldingDoors)('%s tells nothing', (name) => {
    const isForOwner = routes[name].access === 'share owner'

    test('of a passworded share without its cookie', async () => {
      expectRefused(await callRoute(createClient(floe.url), name, closed), name)
    })

    test('of a share with the cookie of another', async () => {
      const visitor = createClient(floe.url)
      await openShare(visitor, another.shareId, secret.security.password)
      const token = visitor.cookies.get(shareTokenCookie(another.shareId)) ?? ''
      visitor.cookies.set(shareTokenCookie(closed.shareId), token)
      expectRefused(await callRoute(visitor, name, closed), name)
    })

    test('with a made-up cookie', async () => {
      for (const token of ['x', '', 'eyJhbGciOiJub25lIn0.e30.']) {
        const visitor = createClient(floe.url)
        visitor.cookies.set(shareTokenCookie(closed.shareId), token)
        expectRefused(await callRoute(visitor, name, closed), name)
      }
    })

    test('of an expired share, with its cookie or without', async () => {
      const target = await publishSecret()
      const visitor = createClient(floe.url)
      await openShare(visitor, target.shareId, secret.security.password)
      const expiration = new Date(Date.now() + 1_000).toISOString()
      const path = `/api/shares/${target.shareId}`
      const patched = await owner.send('PATCH', path, { json: { expiration } })
      expect(patched.status, patched.text).toBe(200)
      await vi.waitFor(async () => expectRefused(await visitor.send('GET', path), 'expired'), 5_000)
      for (const client of [visitor, createClient(floe.url)]) {
        const response = await callRoute(client, name, target)
        expectRefused(response, name)
        if (!isForOwner) expect(codeOf(response)).toBe('share_not_found')
      }
    })

    test('of a deleted share, with its cookie or without', async () => {
      const target = await publishSecret()
      const visitor = createClient(floe.url)
      await openShare(visitor, target.shareId, secret.security.password)
      expect((await owner.send('DELETE', `/api/shares/${target.shareId}`)).status).toBe(200)
      for (const client of [visitor, createClient(floe.url), owner]) {
        const response = await callRoute(client, name, target)
        expectRefused(response, name)
        expect(codeOf(response)).toBe('share_not_found')
      }
    })

    test('of a share that is not completed', async () => {
      const shareId = await createShare(owner, secret)
      const fileId = await addFile(owner, shareId, secretName, 'burn after reading')
      const target = { ...others, shareId, fileId }
      const visitor = createClient(floe.url)
      expectRefused(await openShare(visitor, shareId, secret.security.password), 'token')
      for (const client of [visitor, other]) {
        expectRefused(await callRoute(client, name, target), name)
      }
    })

    test('with a cookie from before a change of the password', async () => {
      const target = await publishSecret()
      const visitor = createClient(floe.url)
      await openShare(visitor, target.shareId, secret.security.password)
      await owner.send('PATCH', `/api/shares/${target.shareId}`, {
        json: { security: { password: 'close sesame' } },
      })
      expectRefused(await callRoute(visitor, name, target), name)
    })

    test('of a new share with the cookie of a deleted one of the same id', async () => {
      const { shareId } = await publishSecret()
      const visitor = createClient(floe.url)
      await openShare(visitor, shareId, secret.security.password)
      await owner.send('DELETE', `/api/shares/${shareId}`)
      const renewed = await publishSecret({ id: shareId })
      expectRefused(await callRoute(visitor, name, renewed), name)
    })
  })

  test.each(['HEAD', 'GET'])(
    '%s of bytes is refused whatever range is asked for',
    async (method) => {
      const { shareId, fileId } = await publishSecret()
      for (const file of [fileId, `${fileId}/thumbnail`, 'zip', 'SHA256SUMS']) {
        for (const headers of [{}, { Range: 'bytes=0-1' }, { 'If-None-Match': '*' }]) {
          const path = `/api/shares/${shareId}/files/${file}?download=false`
          const response = await createClient(floe.url).send(method, path, { headers })
          expectRefused(response, path)
          expect(response.status).toBe(403)
        }
      }
    },
  )

  test('a file is not to be had through another share', async () => {
    const visitor = createClient(floe.url)
    await openShare(visitor, another.shareId, secret.security.password)
    const response = await callRoute(visitor, 'downloadFile', { ...another, fileId: closed.fileId })
    expectRefused(response, 'downloadFile')
    expect(codeOf(response)).toBe('file_not_found')
  })

  test('the capability of an upload opens that upload and nothing else', async () => {
    const shareId = await createShare(owner, secret)
    const path = await beginUpload(owner, { shareId, filename: secretName, lengthBytes: 5 })
    const bearer = createClient(floe.url)
    expect((await bearer.send('HEAD', path, { headers: tus })).status).toBe(200)
    const uploadId = path.split('/').at(-1) ?? ''
    const target = { ...others, shareId, fileId: shareId, uploadId }
    for (const name of ['getShare', 'getShareAsOwner', 'completeShare', 'createUpload'] as const) {
      expectRefused(await callRoute(bearer, name, target), name)
    }
    await bearer.send('PATCH', path, {
      bytes: 'hello',
      headers: { ...tus, 'Upload-Offset': '0', 'Content-Type': offsetStream },
    })
    await completeShare(owner, shareId)
    const ended = await bearer.send('DELETE', path, { headers: tus })
    expect(ended.status).toBeGreaterThanOrEqual(400)
    expect(ended.status).toBeLessThan(500)
  })

  test('ends nobody who is signed in elsewhere', async () => {
    const target = await publishSecret()
    for (const client of [createClient(floe.url), other]) {
      for (const name of ['endSession', 'updateUser', 'deleteUser'] as const) {
        expectRefused(await callRoute(client, name, target), name)
      }
    }
    // Who was refused everywhere was signed in all the time.
    expect((await other.send('GET', '/api/users/me')).status).toBe(200)
    const me = await owner.send('GET', '/api/users/me')
    expect(me).toMatchObject({ status: 200, body: { id: target.userId, isAdmin: false } })
  })

  test('nothing of what goes on between services is to be reached from outside', async () => {
    for (const path of ['/internal/auth/identify', '/internal/share/authorizeRead', '/internal']) {
      const response = await createClient(floe.url).send('POST', path, {
        json: { accessToken: null },
        headers: { 'X-Internal-Secret': 'guess' },
      })
      expect(response.status).toBe(404)
    }
  })
})
