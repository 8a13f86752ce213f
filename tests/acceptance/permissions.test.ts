import { type RouteName, routes } from '@floe/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signInAsAdmin, signUp } from './world/accounts.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type HttpResponse, type Client, createClient } from './world/http-client.ts'
import { beginSending, createReverseShare, findOwn, openSender } from './world/reverse-shares.ts'
import { callRoute, type Target } from './world/route-calls.ts'
import { addFile, codeOf, createShare, openShare, publishShare } from './world/shares.ts'
import type { FloeUnderTest } from './world/start-arrangements.ts'
import { beginUpload } from './world/tus.ts'

/**
 * `visitor` was let in by the password; `user` is signed in, and nothing of it is theirs; `sender`
 * came by a reverse share of the owner and has not completed yet; `demoted` was an administrator
 * and kept the cookies of that time.
 */
const roles = ['visitor', 'user', 'owner', 'sender', 'admin', 'demoted'] as const
type Role = (typeof roles)[number]

const everyone: readonly Role[] = roles
const signedIn: readonly Role[] = ['user', 'owner', 'admin']
const owner: readonly Role[] = ['owner']
const admin: readonly Role[] = ['admin']
const readers: readonly Role[] = ['visitor', 'owner']
const writers: readonly Role[] = ['owner', 'sender']
const keepers: readonly Role[] = ['owner', 'sender', 'admin']

/** One row a route: a route that is added to the contracts needs one before the tests pass. */
const permissions: Record<RouteName, readonly Role[]> = {
  health: everyone,
  healthDetails: everyone,
  healthLive: everyone,
  healthReady: everyone,
  signUp: everyone,
  signIn: everyone,
  signInTotp: everyone,
  requestPasskey: everyone,
  signInPasskey: everyone,
  requestPasswordReset: everyone,
  resetPassword: everyone,
  confirmEmail: everyone,
  signOut: everyone,
  listSocialProviders: everyone,
  beginSocialSignIn: everyone,
  finishSocialSignIn: everyone,
  listConfig: everyone,
  isShareIdAvailable: everyone,
  getReverseShare: everyone,
  unlockReverseShare: everyone,
  describeUploads: everyone,
  // Those it does not let in are led back to the page, which says why.
  openShareByForm: everyone,
  requestShareCode: everyone,
  requestShareCodeByForm: everyone,
  // Not yet published.
  openShare: everyone.filter((role) => role !== 'sender'),

  authorizeDevice: everyone,
  redeemDeviceCode: everyone,
  receiveLogoutToken: everyone,
  getDeviceRequest: signedIn,
  decideDeviceRequest: signedIn,
  renewToken: signedIn,
  putFile: signedIn,
  postFile: signedIn,
  postForm: signedIn,
  describeResumable: everyone,
  inspectResumable: everyone,
  appendResumable: everyone,
  terminateResumable: everyone,
  // Whoever has the secret, which nobody has here.
  deleteByLink: everyone.filter((role) => role !== 'sender'),
  confirmDeleteByLink: everyone.filter((role) => role !== 'sender'),
  createToken: signedIn,
  listTokens: signedIn,
  revokeToken: signedIn,
  createWebhook: signedIn,
  listWebhooks: signedIn,
  updateWebhook: signedIn,
  deleteWebhook: signedIn,
  rotateWebhookSecret: signedIn,
  testWebhook: signedIn,
  listWebhookDeliveries: signedIn,
  replayWebhookDelivery: signedIn,
  replayWebhook: signedIn,
  changePassword: signedIn,
  enableTotp: signedIn,
  verifyTotp: signedIn,
  disableTotp: signedIn,
  createRecoveryCodes: signedIn,
  listPasskeys: signedIn,
  beginPasskey: signedIn,
  addPasskey: signedIn,
  renamePasskey: signedIn,
  removePasskey: signedIn,
  listSessions: signedIn,
  endSessions: signedIn,
  exportOwnData: signedIn,
  getOwnUser: signedIn,
  updateOwnUser: signedIn,
  requestEmailVerification: signedIn,
  deleteOwnUser: signedIn,
  listSocialLinks: signedIn,
  getOwnStorage: signedIn,
  unlinkSocialAccount: signedIn,
  listOwnShares: signedIn,
  listUnfinishedUploads: signedIn,
  createReverseShare: signedIn,
  listOwnReverseShares: signedIn,
  isReverseShareTokenAvailable: signedIn,
  createShare: [...signedIn, 'sender'],

  endSession: owner,
  updateReverseShare: owner,
  deleteReverseShare: owner,

  // By the password, which an owner needs for what tells whether it works.
  getShare: readers,
  getShareMetaData: readers,
  downloadArchive: readers,
  selectFiles: readers,
  downloadDigests: readers,
  downloadFile: readers,
  getThumbnail: readers,

  getShareAsOwner: keepers,
  getShareActivity: keepers,
  updateShare: keepers,
  deleteShare: keepers,
  completeShare: writers,
  openShareEarly: ['owner'],
  reopenShare: writers,
  discardEdit: writers,
  uploadChunk: writers,
  uploadBatch: writers,
  deleteFile: writers,
  createUpload: writers,

  // Everybody with the address, which nobody can guess.
  inspectUpload: everyone,
  appendToUpload: everyone,
  overrideUploadMethod: everyone,
  terminateUpload: everyone,

  listUsers: admin,
  listStorageUse: admin,
  createUser: admin,
  updateUser: admin,
  deleteUser: admin,
  listAllShares: admin,
  // Switched off.
  openShareAsAdministrator: [],
  listAdminConfig: admin,
  updateConfig: admin,
  previewEmail: admin,
  setLogo: admin,
  removeLogo: admin,
  setDarkLogo: admin,
  removeDarkLogo: admin,
  finishSetup: admin,
  sendTestEmail: admin,
  trySocialProvider: admin,
  tryDirectory: admin,
  getOverview: admin,
  getLatestRelease: admin,
  retryJob: admin,
  listAudit: admin,
  exportAudit: admin,
}

const names = Object.keys(permissions) as RouteName[]

/** These ask for a share whose files may change. */
const onOpenShares = new Set<RouteName>([
  'completeShare',
  'openShareEarly',
  'uploadChunk',
  'uploadBatch',
  'createUpload',
  'deleteFile',
])

/** After these, who called is no longer who they were. */
const endingOneself = new Set<RouteName>([
  'signUp',
  'signIn',
  'signOut',
  'renewToken',
  'endSessions',
  'deleteOwnUser',
])
/** After these, the owner or their reverse share is not what it was. */
const endingOthers = new Set<RouteName>([
  'endSession',
  'updateUser',
  'deleteUser',
  'deleteReverseShare',
])

const refusals = ['forbidden', 'unauthorized', 'share_password_required', 'session_not_found']

function isRefused({ status, ...response }: HttpResponse, role: Role): boolean {
  if (status < 400) return false
  const code = codeOf({ status, ...response }) ?? ''
  return refusals.includes(code) || (role === 'sender' && code === 'share_not_found')
}

const secret = { name: 'Secret', security: { password: 'open sesame' } }

interface Scene {
  clients: Record<Role, Client>
  /** The owner's. */
  ids: Pick<Target, 'userId' | 'sessionId' | 'reverseShareId'>
}

async function makeScene(floe: FloeUnderTest): Promise<Scene> {
  const chief = await signInAsAdmin(floe)
  const users = await Promise.all(Array.from({ length: 4 }, () => signUp(floe)))
  const [mine, user, colleague, demoted] = users as [Client, Client, Client, Client]
  await rank(chief, colleague, true)
  await rank(chief, demoted, true)
  const kept = demoted.cookies.names().map((name) => [name, demoted.cookies.get(name)] as const)
  await rank(chief, demoted, false)
  for (const [name, value = ''] of kept) demoted.cookies.set(name, value)

  const token = await createReverseShare(mine, { maxUseCount: 1_000 })
  const sessions = (await mine.send('GET', '/api/auth/sessions')).body as { id: string }[]
  return {
    clients: {
      visitor: createClient(floe.url),
      user,
      owner: mine,
      sender: openSender(mine, token),
      admin: colleague,
      demoted,
    },
    ids: {
      userId: await idOf(mine),
      sessionId: sessions[0]?.id ?? '',
      reverseShareId: (await findOwn(mine, token))?.id ?? '',
    },
  }
}

async function idOf(client: Client): Promise<string> {
  return ((await client.send('GET', '/api/users/me')).body as { id: string }).id
}

async function rank(chief: Client, client: Client, isAdmin: boolean): Promise<void> {
  const path = `/api/users/${await idOf(client)}`
  const response = await chief.send('PATCH', path, { json: { isAdmin } })
  expect(response.status, response.text).toBe(200)
}

const kinds = ['published', 'open', 'sent'] as const
type Kind = (typeof kinds)[number]

async function makeTarget({ clients, ids }: Scene, kind: Kind): Promise<Target> {
  const [shareId, fileId] = await makeShare(clients, kind)
  const uploading = await createShare(clients.owner)
  const upload = { shareId: uploading, filename: 'a.txt', lengthBytes: 6 }
  const path = await beginUpload(clients.owner, upload)
  return { ...ids, shareId, fileId, uploadId: path.split('/').at(-1) ?? '' }
}

async function makeShare(
  { owner: mine, sender, visitor }: Record<Role, Client>,
  kind: Kind,
): Promise<[shareId: string, fileId: string]> {
  if (kind === 'published') {
    const { id, fileIds } = await publishShare(mine, { 'plans.txt': 'plans' }, secret)
    await openShare(visitor, id, secret.security.password)
    return [id, fileIds[0] ?? '']
  }
  const [maker, id] =
    kind === 'sent'
      ? [sender, await beginSending(sender, {})]
      : [mine, await createShare(mine, secret)]
  return [id, await addFile(maker, id, 'plans.txt', 'plans')]
}

test('every route has a row', () => {
  expect(names.toSorted()).toEqual(Object.keys(routes).toSorted())
})

onOneArrangement('embedded', 'permissions', (floe) => {
  let scene: Scene
  let targets = new Map<Kind, Target>()

  async function change(): Promise<void> {
    scene = await makeScene(floe)
    targets = new Map()
  }

  beforeAll(change)
  afterAll(async () => {
    const chief = await signInAsAdmin(floe)
    await chief.send('PATCH', '/api/configs/admin', {
      json: [{ key: 'general.appName', value: '' }],
    })
  })

  async function targetOf(kind: Kind): Promise<Target> {
    const target = targets.get(kind) ?? (await makeTarget(scene, kind))
    targets.set(kind, target)
    return target
  }

  describe.each(names)('%s', (name) => {
    const isReading = ['get', 'head', 'options'].includes(routes[name].method)
    const endsOneself = endingOneself.has(name)

    test(`is for ${permissions[name].join(', ')} alone`, async () => {
      // The role that makes them may be gone before the last role has its turn.
      if (endsOneself) for (const kind of kinds) await targetOf(kind)
      const responses: Partial<Record<Role, string>> = {}
      const admitted: Role[] = []
      for (const role of roles) {
        const kind =
          role === 'sender' ? 'sent' : onOpenShares.has(name) ? 'open' : ('published' as const)
        const response = await callRoute(scene.clients[role], name, await targetOf(kind))
        expect(response.status, `${name} by ${role}`).toBeLessThan(500)
        responses[role] = `${response.status} ${response.status < 400 ? '' : codeOf(response)}`
        if (isRefused(response, role)) continue
        admitted.push(role)
        if (endingOthers.has(name)) await change()
        else if (!isReading && !endsOneself) targets.delete(kind)
      }
      expect(admitted, JSON.stringify(responses)).toEqual(
        roles.filter((role) => permissions[name].includes(role)),
      )
      if (endsOneself) await change()
    })
  })
})
