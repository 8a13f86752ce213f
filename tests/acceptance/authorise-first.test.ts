import { type RouteContract, type RouteName, routes } from '@floe/contracts'
import { beforeAll, describe, expect, test } from 'vitest'
import { signUp } from './world/accounts.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type HttpResponse, type Client, createClient } from './world/http-client.ts'
import { codeOf, publishShare } from './world/shares.ts'

const routeList = Object.entries(routes) as [RouteName, RouteContract][]
const protectedRoutes = routeList.filter(([, { access }]) => access !== 'anyone')
/** What a signed-in user may not call whatever it names. */
const adminRoutes = routeList.filter(([, { access }]) => access === 'admin')

const refusals = [401, 403, 404]

/** What no parameter can be, with and without a share where one is named. */
const badParameters = ['%f0%9f%98%80', 'x'.repeat(200), '%20', '..%2f..']

function badQuery({ query }: RouteContract): string {
  const keys = ['unknown', ...Object.keys(query?.shape ?? {})]
  return `?${keys.map((key) => `${key}=%00&${key}=-1`).join('&')}`
}

interface Body {
  json?: unknown
  bytes?: string
  type?: string
}

const badBodies: Body[] = [
  {},
  { json: {} },
  { json: 7 },
  { json: { reverseShare: { a: 1 }, id: '\0' } },
  { bytes: '{', type: 'application/json' },
  { bytes: 'x', type: 'text/plain' },
]

onOneArrangement('split', 'who may call is decided before anything else is looked at', (floe) => {
  let user: Client
  let shareId = ''
  let fileId = ''
  beforeAll(async () => {
    user = await signUp(floe)
    const published = await publishShare(
      await signUp(floe),
      { 'plans.txt': 'plans' },
      { security: { password: 'open sesame' } },
    )
    shareId = published.id
    fileId = published.fileIds[0] ?? ''
  })

  /** Of the share that is there, and ones that cannot be. */
  function pathsOf({ path }: RouteContract): string[] {
    const isOfShare = path.startsWith('/api/shares/:')
    const real = path.replace(/:(shareId|id)/, shareId).replace(':fileId', fileId)
    const bad = badParameters.map((value) => path.replace(/:\w+/g, value))
    if (isOfShare) return [real, ...bad]
    return path.includes(':') ? bad : [path]
  }

  function bodiesOf(contract: RouteContract): Body[] {
    if (['get', 'head'].includes(contract.method)) return [{}]
    // By what right somebody makes a share may stand in its body, which has to be readable then.
    if (contract !== routes.createShare) return badBodies
    return badBodies.filter(({ type }) => type !== 'application/json')
  }

  async function callBadly(
    client: Client,
    contract: RouteContract,
  ): Promise<[string, HttpResponse][]> {
    const responses: [string, HttpResponse][] = []
    const query = badQuery(contract)
    for (const path of pathsOf(contract)) {
      for (const { type, ...body } of bodiesOf(contract)) {
        const what = `${contract.method} ${path.slice(0, 60)} ${JSON.stringify(body)}`
        const headers = { 'Tus-Resumable': '1.0.0', ...(type && { 'Content-Type': type }) }
        const method = contract.method.toUpperCase()
        responses.push([what, await client.send(method, path + query, { ...body, headers })])
      }
    }
    return responses
  }

  function expectRefused(responses: readonly [string, HttpResponse][]): void {
    const others = responses.filter(([, { status }]) => !refusals.includes(status))
    expect(others.map(([what, response]) => [what, response.status, codeOf(response)])).toEqual([])
  }

  describe.each(protectedRoutes)('%s', (_name, contract) => {
    test('refuses a stranger whatever is wrong with the path, the query and the body', async () => {
      expectRefused(await callBadly(createClient(floe.url), contract))
    })
  })

  describe.each(adminRoutes)('%s', (_name, contract) => {
    test('refuses a user whatever is wrong with the path, the query and the body', async () => {
      const responses = await callBadly(user, contract)
      expectRefused(responses)
      expect(new Set(responses.map(([, { status }]) => status))).toEqual(new Set([403]))
    })
  })
})
