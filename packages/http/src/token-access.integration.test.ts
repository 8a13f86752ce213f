import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ACCESS_TOKEN_COOKIE, type RouteContract, routes } from '@floe/contracts'
import express from 'express'
import { expect, test } from 'vitest'
import { errorHandler } from './error-response.ts'
import { admitToken } from './token-access.ts'

const tokens = { checkToken: async () => ({ isInScope: true }) }

async function ask(contract: RouteContract, headers: Record<string, string>): Promise<number> {
  const app = express()
  app.use(admitToken(contract, tokens))
  app.use((_req, res) => {
    res.sendStatus(204)
  })
  app.use(errorHandler({ error: () => undefined }))
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return fetch(`http://127.0.0.1:${port}/`, { headers })
    .then(({ status }) => status)
    .finally(() => server.close().closeAllConnections())
}

test.each(['Bearer bogus', 'bearer', 'Bearer eyJhbGciOi'])(
  '"%s" is refused where tokens are meant, and counts for nothing elsewhere',
  async (authorization) => {
    expect(await ask(routes.putFile, { authorization })).toBe(401)
    expect(await ask(routes.appendResumable, { authorization })).toBe(401)
    expect(await ask(routes.getShare, { authorization })).toBe(204)
    expect(await ask(routes.createShare, { authorization })).toBe(204)
  },
)

test('what a proxy adds keeps nobody out', async () => {
  const cookie = `${ACCESS_TOKEN_COOKIE}=session`
  expect(await ask(routes.putFile, { authorization: 'Bearer of-the-proxy', cookie })).toBe(204)
  expect(await ask(routes.putFile, { authorization: `Basic ${btoa('ann:secret')}` })).toBe(204)
  expect(await ask(routes.putFile, {})).toBe(204)
})
