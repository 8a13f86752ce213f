import { type RouteName, routes } from '@floe/contracts'
import { beforeAll, expect, test } from 'vitest'
import { newAccount, signInAsAdmin, signUp } from './world/accounts.ts'
import { onBothArrangements } from './world/arrangements.ts'
import { type Answer, type Client, createClient } from './world/http-client.ts'
import { beginSending, createReverseShare, findOwn, openSender } from './world/reverse-shares.ts'
import { callRoute, type Target } from './world/route-calls.ts'
import { addFile, codeOf, createShare, openShare, publishShare } from './world/shares.ts'
import type { FloeUnderTest } from './world/start-arrangements.ts'
import { beginUpload } from './world/tus.ts'

/**
 * `visitor` was let in by the password, `other` is signed in, `sender` came by a reverse share and
 * is about to complete what they send, `demoted` holds the cookies of an administrator of before.
 */
const roles = ['visitor', 'other', 'owner', 'sender', 'admin', 'demoted'] as const
type Role = (typeof roles)[number]

const everyone: readonly Role[] = roles
const signedIn: readonly Role[] = ['other', 'owner', 'admin']
const admins: readonly Role[] = ['admin']

const allowed: Record<RouteName, readonly Role[]> = {} as never
const refusals = new Set(['forbidden'])
void [allowed, everyone, signedIn, admins, refusals, codeOf, expect]

interface World {
  clients: Record<Role, Client>
  ownerId: string
  sessionId: string
  reverseShareId: string
}

const secret = { name: 'Secret', security: { password: 'open sesame' } }

async function makeWorld(floe: FloeUnderTest): Promise<World> {
  const chief = await signInAsAdmin(floe)
  const promote = async (isAdmin: boolean, client: Client) => {
    const { id } = (await client.send('GET', '/api/users/me')).body as { id: string }
    const answer = await chief.send('PATCH', `/api/users/${id}`, { json: { isAdmin } })
    expect(answer.status, answer.text).toBe(200)
  }
  const [owner, other, admin, demoted] = await Promise.all([
    signUp(floe),
    signUp(floe),
    signUp(floe),
    signUp(floe),
  ])
  await Promise.all([admin, demoted].map((client) => promote(true, client)))
  const cookies = new Map(demoted.cookies)
  const me = (await demoted.send('GET', '/api/users/me')).body as { id: string }
  await chief.send('PATCH', `/api/users/${me.id}`, { json: { isAdmin: false } })
  for (const [name, value] of cookies) demoted.cookies.set(name, value)
  const token = await createReverseShare(owner, { maxUseCount: 1000 })
  const reverseShareId = (await findOwn(owner, token))?.id ?? ''
  const own = (await owner.send('GET', '/api/users/me')).body as { id: string }
  const sessions = (await owner.send('GET', '/api/auth/sessions')).body as { id: string }[]
  return {
    clients: {
      visitor: createClient(floe.url),
      other,
      owner,
      sender: openSender(owner, token),
      admin,
      demoted,
    },
    ownerId: own.id,
    sessionId: sessions[0]?.id ?? '',
    reverseShareId,
  }
}

async function makeTarget(
  { clients, ...world }: World,
  role: Role,
  needsOpen: boolean,
): Promise<Target> {
  const { owner, sender, visitor } = clients
  const ids = {
    userId: world.ownerId,
    sessionId: world.sessionId,
    reverseShareId: world.reverseShareId,
  }
  let shareId: string
  let fileId: string
  if (role === 'sender') {
    shareId = await beginSending(sender, {})
    fileId = await addFile(sender, shareId, 'sent.txt', 'sent')
  } else if (needsOpen) {
    shareId = await createShare(owner, secret)
    fileId = await addFile(owner, shareId, 'plans.txt', 'plans')
  } else {
    const share = await publishShare(owner, { 'plans.txt': 'plans' }, secret)
    shareId = share.id
    fileId = share.fileIds[0] ?? ''
    if (role === 'visitor') await openShare(visitor, shareId, secret.security.password)
  }
  const open = await createShare(owner)
  const path = await beginUpload(owner, { shareId: open, filename: 'a.txt', lengthBytes: 6 })
  return { ...ids, shareId, fileId, uploadId: path.split('/').at(-1) ?? '' }
}

onBothArrangements('permissions', (floe) => {
  test('matrix', { timeout: 600_000 }, async () => {
    void (newAccount() satisfies unknown)
    for (const name of Object.keys(routes) as RouteName[]) {
      let world = await makeWorld(floe)
      const row: string[] = []
      for (const role of roles) {
        const needsOpen = ['completeShare', 'uploadChunk', 'createUpload', 'deleteFile'].includes(
          name,
        )
        const target = await makeTarget(world, role, needsOpen)
        const answer: Answer = await callRoute(world.clients[role], name, target)
        row.push(`${role}=${answer.status}/${answer.status < 400 ? '' : codeOf(answer)}`)
        if (!/get|head|options/.test(routes[name].method)) world = await makeWorld(floe)
      }
      console.log(name, row.join(' '))
    }
  })
})
void beforeAll
