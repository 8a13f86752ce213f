import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AppError } from '@floe/errors'
import express, { type Express } from 'express'
import { expect, test } from 'vitest'
import { errorHandler, sendError } from './error-response.ts'

test('what an error says of its limits reaches the client in headers', async () => {
  const app = express()
  app.get('/', (_req, res) => {
    sendError(res, new AppError('too_many_requests', { retryAfterSeconds: 30 }))
  })
  const response = await ask(app, '/')
  expect(response.status).toBe(429)
  expect(response.headers.get('retry-after')).toBe('30')
  expect(response.headers.get('x-error-code')).toBe('too_many_requests')
})

test('the log of a failure names the route, never what stood in its path', async () => {
  const logged: object[] = []
  const app = express()
  app.post('/api/auth/resetPassword/:email', () => {
    throw new Error('broken')
  })
  app.use(errorHandler({ error: (fields) => logged.push(fields) }))
  const response = await ask(app, '/api/auth/resetPassword/ann@floe.test', 'POST')
  expect(response.status).toBe(500)
  expect(logged).toEqual([
    expect.objectContaining({ method: 'POST', route: '/api/auth/resetPassword/:email' }),
  ])
  expect(JSON.stringify(logged)).not.toContain('ann@floe.test')
})

test('an archive that is being prepared is no failure to log', async () => {
  const logged: object[] = []
  const app = express()
  app.get('/', () => {
    throw new AppError('archive_not_ready', { retryAfterSeconds: 5 })
  })
  app.use(errorHandler({ error: (fields) => logged.push(fields) }))
  const response = await ask(app, '/')
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('5')
  expect(logged).toEqual([])
})

async function ask(app: Express, path: string, method = 'GET'): Promise<Response> {
  const server = createServer(app).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return fetch(`http://127.0.0.1:${port}${path}`, { method }).finally(() => server.close())
}
