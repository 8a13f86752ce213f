import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { routes } from '@floe/contracts'
import { AppError } from '@floe/errors'
import express from 'express'
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest'
import { errorHandler } from './error-response.ts'
import { createRouter, implement, implementPublic } from './implement.ts'

const order: string[] = []
const implemented = [
  implement(
    routes.updateUser,
    ({ req, params }) => {
      order.push(`authorise ${params.id}`)
      if (req.get('X-Key') !== 'right') throw new AppError('forbidden')
      return { name: 'key holder' }
    },
    ({ params, body }, { name }) => {
      order.push(`${name} ${params.id} ${body.username ?? ''}`)
      return {
        id: params.id,
        username: 'a',
        email: 'a@floe.test',
        isAdmin: false,
        totpVerified: false,
        emailStanding: 'assumed',
      }
    },
  ),
  implement(
    routes.createReverseShare,
    async ({ readBody }) => {
      const body = await readBody()
      order.push(`authorise ${JSON.stringify(body)}`)
    },
    () => ({ token: 't', link: 'l' }),
  ),
]

let url = ''
let close: () => void
beforeEach(async () => {
  order.length = 0
  const app = express()
  app.use(createRouter(implemented), errorHandler({ error: () => undefined }))
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  close = () => server.close().closeAllConnections()
})
afterEach(() => close())

const id = '00000000-0000-4000-8000-000000000000'

async function patch(path: string, body: string, key = 'right'): Promise<number> {
  const headers = { 'Content-Type': 'application/json', 'X-Key': key }
  return (await fetch(url + path, { method: 'PATCH', headers, body })).status
}

describe('a call', () => {
  test.each([
    ['the path', '/api/users/x', '{}'],
    ['the body', `/api/users/${id}`, '7'],
    ['the JSON', `/api/users/${id}`, '{'],
  ])(
    'that is not allowed is refused as that, whatever is wrong with %s',
    async (_what, path, body) => {
      expect(await patch(path, body, 'wrong')).toBe(403)
      expect(await patch(path, body)).toBe(400)
      expect(order.every((step) => step.startsWith('authorise'))).toBe(true)
    },
  )

  test('that is allowed hands its handler what authorising it came to', async () => {
    expect(await patch(`/api/users/${id}`, '{"username":"somebody"}')).toBe(200)
    expect(order).toEqual([`authorise ${id}`, `key holder ${id} somebody`])
  })

  test('that is not allowed is refused before its body has come', async () => {
    const req = request(`${url}/api/users/${id}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', 'Content-Length': 50_000 },
    })
    req.on('error', () => undefined)
    req.flushHeaders()
    const [res] = (await once(req, 'response')) as [{ statusCode: number }]
    expect(res.statusCode).toBe(403)
    req.destroy()
  })

  test('whose right stands in its body is authorised by it, unchecked as it is', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const body = '{"name":7}'
    const { status } = await fetch(`${url}/api/reverseShares`, { method: 'POST', headers, body })
    expect(status).toBe(400)
    expect(order).toEqual([`authorise ${body}`])
  })
})

test('only what its contract opens to anyone goes without authorising', () => {
  type Public = Parameters<typeof implementPublic>[0]
  expectTypeOf(routes.signOut).toExtend<Public>()
  expectTypeOf(routes.listUsers).not.toExtend<Public>()
  expectTypeOf<Parameters<typeof implement>['length']>().toEqualTypeOf<3>()
})
