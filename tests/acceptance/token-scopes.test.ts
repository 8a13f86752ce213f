import { randomUUID } from 'node:crypto'
import { type RouteName, routes, type RouteScope, tokenScopes } from '@floe/contracts'
import { beforeAll, describe, expect, test } from 'vitest'
import { signInAsAdmin, signUp } from './world/accounts.ts'
import { createScript, makeToken } from './world/api-tokens.ts'
import { onOneArrangement } from './world/arrangements.ts'
import type { Client } from './world/http-client.ts'
import { createReverseShare, findOwn } from './world/reverse-shares.ts'
import { callRoute, type Target } from './world/route-calls.ts'
import { addFile, codeOf, createShare, publishShare } from './world/shares.ts'
import { beginUpload } from './world/tus.ts'

/** One row a route: a route that is added to the contracts needs one before the tests compile. */
const scopes: Record<RouteName, RouteScope> = {
  health: 'visitor',
  healthDetails: 'visitor',
  healthLive: 'visitor',
  healthReady: 'visitor',
  listConfig: 'visitor',
  listSocialProviders: 'visitor',
  isShareIdAvailable: 'visitor',
  requestShareCode: 'visitor',
  requestShareCodeByForm: 'visitor',
  openShareByForm: 'visitor',
  getReverseShare: 'visitor',
  unlockReverseShare: 'visitor',
  describeUploads: 'visitor',
  inspectUpload: 'visitor',
  appendToUpload: 'visitor',
  overrideUploadMethod: 'visitor',
  terminateUpload: 'visitor',

  signUp: 'session',
  signIn: 'session',
  signInTotp: 'session',
  requestPasskey: 'session',
  signInPasskey: 'session',
  requestPasswordReset: 'session',
  resetPassword: 'session',
  confirmEmail: 'session',
  enableTotp: 'session',
  verifyTotp: 'session',
  disableTotp: 'session',
  createRecoveryCodes: 'session',
  listPasskeys: 'session',
  beginPasskey: 'session',
  addPasskey: 'session',
  renamePasskey: 'session',
  removePasskey: 'session',
  listSessions: 'session',
  endSession: 'session',
  endSessions: 'session',
  signOut: 'session',
  renewToken: 'session',
  changePassword: 'session',
  updateOwnUser: 'session',
  requestEmailVerification: 'session',
  deleteOwnUser: 'session',
  finishSetup: 'session',
  listSocialLinks: 'session',
  beginSocialSignIn: 'session',
  finishSocialSignIn: 'session',
  unlinkSocialAccount: 'session',
  openShareAsAdministrator: 'session',
  authorizeDevice: 'visitor',
  redeemDeviceCode: 'visitor',
  receiveLogoutToken: 'visitor',
  getDeviceRequest: 'session',
  decideDeviceRequest: 'session',
  createToken: 'session',
  listTokens: 'session',
  revokeToken: 'session',

  createWebhook: 'webhooks:write',
  listWebhooks: 'webhooks:write',
  updateWebhook: 'webhooks:write',
  deleteWebhook: 'webhooks:write',
  rotateWebhookSecret: 'webhooks:write',
  testWebhook: 'webhooks:write',
  listWebhookDeliveries: 'webhooks:write',
  replayWebhookDelivery: 'webhooks:write',
  replayWebhook: 'webhooks:write',

  exportOwnData: 'session',
  getOwnUser: 'account:read',
  getOwnStorage: 'account:read',

  listOwnShares: 'shares:read',
  getShare: 'shares:read',
  getShareMetaData: 'shares:read',
  getShareAsOwner: 'shares:read',
  getShareActivity: 'shares:read',
  openShare: 'shares:read',

  createShare: 'shares:write',
  putFile: 'shares:write',
  postFile: 'shares:write',
  postForm: 'shares:write',
  describeResumable: 'visitor',
  inspectResumable: 'shares:write',
  appendResumable: 'shares:write',
  terminateResumable: 'shares:write',
  deleteByLink: 'visitor',
  confirmDeleteByLink: 'visitor',
  updateShare: 'shares:write',
  deleteShare: 'shares:write',
  completeShare: 'shares:write',
  openShareEarly: 'shares:write',
  reopenShare: 'shares:write',
  discardEdit: 'shares:write',
  uploadChunk: 'shares:write',
  uploadBatch: 'shares:write',
  deleteFile: 'shares:write',
  listUnfinishedUploads: 'shares:write',
  createUpload: 'shares:write',

  downloadArchive: 'files:read',
  selectFiles: 'files:read',
  downloadDigests: 'files:read',
  downloadFile: 'files:read',
  getThumbnail: 'files:read',

  listOwnReverseShares: 'requests:read',
  isReverseShareTokenAvailable: 'requests:read',

  createReverseShare: 'requests:write',
  updateReverseShare: 'requests:write',
  deleteReverseShare: 'requests:write',

  getOverview: 'admin:read',
  getLatestRelease: 'admin:read',
  listAudit: 'admin:read',
  exportAudit: 'admin:read',
  listUsers: 'admin:read',
  listAdminConfig: 'admin:read',
  listAllShares: 'admin:read',
  listStorageUse: 'admin:read',

  createUser: 'admin:users',
  updateUser: 'admin:users',
  deleteUser: 'admin:users',

  retryJob: 'admin:settings',
  updateConfig: 'admin:settings',
  sendTestEmail: 'admin:settings',
  previewEmail: 'admin:settings',
  setLogo: 'admin:settings',
  setDarkLogo: 'admin:settings',
  removeDarkLogo: 'admin:settings',
  removeLogo: 'admin:settings',
  trySocialProvider: 'admin:settings',
  tryDirectory: 'admin:settings',
}

const names = Object.keys(scopes) as RouteName[]

/** Those that anybody may call: a token without the scope changes nothing there. */
const forVisitors = new Set<RouteName>([
  'getShare',
  'getShareMetaData',
  'downloadArchive',
  'selectFiles',
  'downloadDigests',
  'downloadFile',
  'getThumbnail',
])

/** Their address is the permission; a token without the scope is as good as none. */
const byAddress = new Set<RouteName>(['inspectResumable', 'appendResumable', 'terminateResumable'])

/** These ask for a share whose files may change. */
const onOpenShares = new Set<RouteName>([
  'completeShare',
  'openShareEarly',
  'uploadChunk',
  'uploadBatch',
  'createUpload',
  'deleteFile',
])

/** Their responses are for a terminal. */
const inOneLine = new Set<RouteName>(['putFile', 'postFile', 'postForm'])

/** Asked of the process, without what the services know. */
const unguarded = new Set<RouteName>(['health', 'healthDetails', 'healthLive', 'healthReady'])

const refusals = ['token_invalid', 'token_scope', 'token_forbidden', 'forbidden', 'unauthorized']

interface Scene {
  owner: Client
  /** A token of the owner for each scope alone, and one for all. */
  texts: Record<string, string>
  demoted: string
  deleted: string
  elsewhere: string
}

async function idOf(client: Client): Promise<string> {
  return ((await client.send('GET', '/api/users/me')).body as { id: string }).id
}

async function makeScene(url: string, chief: Client): Promise<Scene> {
  const [owner, fallen, gone] = await Promise.all([
    signUp({ url }),
    signUp({ url }),
    signUp({ url }),
  ])
  const rank = async (client: Client, isAdmin: boolean) => {
    const path = `/api/users/${await idOf(client)}`
    expect((await chief.send('PATCH', path, { json: { isAdmin } })).status).toBe(200)
  }
  await Promise.all([rank(owner, true), rank(fallen, true)])
  const texts: Record<string, string> = {}
  for (const scope of tokenScopes) {
    texts[scope] = (await makeToken(owner, { scopes: [scope] })).token
  }
  texts['all'] = (await makeToken(owner, { scopes: tokenScopes })).token
  const { token: demoted } = await makeToken(fallen, { scopes: tokenScopes })
  await rank(fallen, false)
  const { token: deleted } = await makeToken(gone)
  await gone.send('DELETE', '/api/users/me')
  const networks = ['192.0.2.0/24', '2001:db8::/32']
  const { token: elsewhere } = await makeToken(owner, { scopes: tokenScopes, networks })
  return { owner, texts, demoted, deleted, elsewhere }
}

async function makeTarget({ owner }: Scene, name: RouteName): Promise<Target> {
  const userId = name === 'deleteUser' ? await idOf(await signUp(owner)) : randomUUID()
  const reverse = await createReverseShare(owner, { maxUseCount: 1_000 })
  const reverseShareId = (await findOwn(owner, reverse))?.id ?? ''
  const secret = { name: 'Secret', security: { password: 'open sesame' } }
  const isOpen = onOpenShares.has(name)
  const { id, fileIds } = isOpen
    ? { id: await createShare(owner, secret), fileIds: [] }
    : await publishShare(owner, { 'plans.txt': 'plans' }, secret)
  const fileId = isOpen ? await addFile(owner, id, 'plans.txt', 'plans') : (fileIds[0] ?? '')
  const uploading = await createShare(owner)
  const path = await beginUpload(owner, { shareId: uploading, filename: 'a.txt', lengthBytes: 6 })
  const uploadId = path.split('/').at(-1) ?? ''
  return { userId, sessionId: userId, reverseShareId, shareId: id, fileId, uploadId }
}

interface Outcome {
  status: number
  code: string
  body: unknown
}

/** What a token gets that was granted this scope alone, or `all` of them. */
function expectOutcome(name: RouteName, granted: string, { status, code, body }: Outcome): void {
  const scope = scopes[name]
  const isGranted = granted === scope || granted === 'all'
  if (scope === 'session') {
    expect({ status, code }).toEqual({ status: 403, code: 'token_forbidden' })
  } else if (scope === 'visitor') {
    expect(refusals.filter((one) => one !== 'forbidden')).not.toContain(code)
  } else if (isGranted && name === 'updateUser') {
    // Nobody becomes an administrator by a token.
    expect(code).toBe('token_forbidden')
  } else if (isGranted) {
    expect([...refusals, 'share_password_required'], granted).not.toContain(code)
  } else if (name === 'openShare') {
    // By the password, as everybody.
    expect({ granted, status }).toEqual({ granted, status: 200 })
  } else if (byAddress.has(name)) {
    expect({ granted, code }).toEqual({ granted, code: 'upload_not_found' })
  } else if (forVisitors.has(name)) {
    expect({ granted, code }).toEqual({ granted, code: 'share_password_required' })
  } else {
    expect({ granted, status, code }).toEqual({ granted, status: 403, code: 'token_scope' })
    if (!inOneLine.has(name)) expect(body).toMatchObject({ scope })
  }
}

test('every route has a row, and the contract says the same', () => {
  const declared = Object.entries(routes).map(([name, { scope }]) => [name, scope])
  expect(Object.fromEntries(declared)).toEqual(scopes)
})

onOneArrangement('split', 'the scopes of tokens', (floe) => {
  let chief: Client
  let scene: Scene
  /** For routes that leave everything as it is. */
  let untouched: Target
  beforeAll(async () => {
    chief = await signInAsAdmin(floe)
    scene = await makeScene(floe.url, chief)
    untouched = await makeTarget(scene, 'listConfig')
  })

  async function callAs(token: string, name: RouteName, target: Target) {
    const response = await callRoute(createScript(floe.url, token), name, target)
    expect(response.status, `${name}: ${response.text}`).toBeLessThan(500)
    expect(response.headers['set-cookie']).toBeUndefined()
    return { status: response.status, code: codeOf(response) ?? '', body: response.body }
  }

  test('with every scope of an administrator, shares of others stay those of others', async () => {
    const { id } = await publishShare(await signUp(floe), { 'plans.txt': 'plans' })
    const script = createScript(floe.url, scene.texts['all'] ?? '')
    for (const [method, path] of [
      ['PATCH', `/api/shares/${id}`],
      ['GET', `/api/shares/${id}/from-owner`],
      ['DELETE', `/api/shares/${id}`],
    ] as const) {
      const response = await script.send(method, path, method === 'PATCH' ? { json: {} } : {})
      expect(response, path).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    }
  })

  describe.each(names)('%s', (name) => {
    const scope = scopes[name]
    const isReading = ['get', 'head', 'options'].includes(routes[name].method)
    const leavesAll = scope === 'session' || (isReading && !onOpenShares.has(name))

    test(`needs ${scope}`, async () => {
      const { texts, demoted, deleted, elsewhere } = scene
      let target = leavesAll ? untouched : await makeTarget(scene, name)
      const invalid = [deleted, elsewhere, `${texts['all']?.slice(0, -1)}!`]
      for (const token of unguarded.has(name) ? [] : invalid) {
        expect(await callAs(token, name, target)).toMatchObject({
          status: 401,
          code: 'token_invalid',
        })
      }
      for (const [granted, token] of Object.entries(texts)) {
        const outcome = await callAs(token, name, target)
        expectOutcome(name, granted, outcome)
        if (!leavesAll && (granted === scope || granted === 'all')) {
          target = await makeTarget(scene, name)
        }
      }
      const fallen = await callAs(demoted, name, target)
      if (scope.startsWith('admin:')) expect(fallen.code).toBe('forbidden')
    })
  })
})
