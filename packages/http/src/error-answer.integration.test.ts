import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AppError } from '@floe/errors'
import express from 'express'
import { expect, test } from 'vitest'
import { sendError } from './error-answer.ts'

test("an error's headers reach the client, and none of them hides its code", async () => {
  const app = express()
  app.get('/', (_req, res) => {
    const headers = { 'Retry-After': '30', 'x-error-code': 'other' }
    sendError(res, new AppError('too_many_requests', { headers }))
  })
  const server = createServer(app).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  server.close()

  expect(response.status).toBe(429)
  expect(response.headers.get('retry-after')).toBe('30')
  expect(response.headers.get('x-error-code')).toBe('too_many_requests')
})
