import { type RouteContract, type RouteName, routes } from '@floe/contracts'
import { beforeAll, describe, expect, test } from 'vitest'
import { signInAsAdmin, signUp } from './world/accounts.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { reverseShareInput } from './world/reverse-shares.ts'
import { callRoute, type Target } from './world/route-calls.ts'
import { publishShare } from './world/shares.ts'

const routeList = Object.entries(routes) as [RouteName, RouteContract][]
const reading = routeList.filter(([, { method }]) => method === 'get')
/** What a share holds may be kept by who got it, and is asked for again. */
const contents: RouteName[] = ['downloadArchive', 'downloadDigests', 'downloadFile', 'getThumbnail']

onOneArrangement('embedded', 'what the API tells is kept by nobody', (floe) => {
  let admin: Client
  let target: Target
  beforeAll(async () => {
    admin = await signInAsAdmin(floe)
    const { id: shareId, fileIds } = await publishShare(admin, { 'a.txt': 'a' })
    const { token: reverseShareId } = (
      await admin.send('POST', '/api/reverseShares', { json: reverseShareInput })
    ).body as { token: string }
    const others = { userId: shareId, sessionId: shareId, uploadId: shareId }
    target = { ...others, reverseShareId, shareId, fileId: fileIds[0] ?? '' }
    const opened = await admin.send('POST', `/api/shares/${shareId}/token`, { json: {} })
    expect(opened.headers['cache-control']).toBe('no-store')
  })

  test.each(routeList)('of %s, to a stranger', async (name) => {
    const { status, headers } = await callRoute(createClient(floe.url), name, target)
    const isKept = contents.includes(name) && status < 400
    expect(headers['cache-control']).toBe(isKept ? 'private, no-cache' : 'no-store')
  })

  describe.each(reading)('of %s', (name) => {
    test('to an administrator, who made what it is of', async () => {
      const { status, headers } = await callRoute(admin, name, target)
      const isKept = contents.includes(name) && status < 400
      expect(headers['cache-control']).toBe(isKept ? 'private, no-cache' : 'no-store')
    })
  })

  test('of tokens', async () => {
    const user = await signUp(floe)
    const renewed = await user.send('POST', '/api/auth/token')
    expect(renewed.status).toBe(200)
    expect(renewed.headers['cache-control']).toBe('no-store')
    const { email, password } = floe.admin
    const json = { email, password }
    const signedIn = await createClient(floe.url).send('POST', '/api/auth/signIn', { json })
    expect(signedIn.status).toBe(200)
    expect(signedIn.headers['cache-control']).toBe('no-store')
  })
})
