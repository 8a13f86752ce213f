import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Settings } from '@floe/contracts'
import { createLog } from '@floe/log'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createReleases, type Releases } from './releases.ts'

const log = createLog({ level: 'silent', service: 'admin' })
const HOUR_MS = 3_600_000

let server: Server
let asked: string[]
let response: { status: number; body: unknown }
let repository: string
let nowMs: number
let releases: Releases

beforeEach(async () => {
  asked = []
  response = { status: 200, body: { tag_name: 'v1.2.3', html_url: 'https://example.org/1.2.3' } }
  repository = 'floe/floe'
  nowMs = Date.UTC(2026, 0, 1)
  server = createServer((req, res) => {
    asked.push(req.url ?? '')
    res.statusCode = response.status
    res.end(JSON.stringify(response.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  releases = createReleases({
    configuration: {
      settings: async () => ({ 'general.releaseRepository': repository }) as Settings,
    },
    apiUrl: `http://127.0.0.1:${port}`,
    log,
    clock: () => new Date(nowMs),
  })
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

const latest = { version: '1.2.3', url: 'https://example.org/1.2.3' }

test('the latest release is asked for once in some hours, however many come at once', async () => {
  const responses = await Promise.all(Array.from({ length: 5 }, () => releases.latest()))
  expect(responses).toEqual(Array.from({ length: 5 }, () => latest))
  nowMs += 5 * HOUR_MS
  await releases.latest()
  expect(asked).toEqual(['/repos/floe/floe/releases/latest'])
  nowMs += 2 * HOUR_MS
  await releases.latest()
  expect(asked).toHaveLength(2)
})

test('nobody is asked where the check is switched off', async () => {
  repository = ''
  expect(await releases.latest()).toBeNull()
  expect(asked).toEqual([])
})

test('another repository is asked at once', async () => {
  await releases.latest()
  repository = 'other/fork'
  await releases.latest()
  expect(asked.at(-1)).toBe('/repos/other/fork/releases/latest')
})

test.each([
  ['a failure', 500, {}],
  ['no release', 404, { message: 'Not Found' }],
  ['a response of another kind', 200, []],
  ['an address that is none', 200, { tag_name: 'v9', html_url: 'javascript:alert(1)' }],
])('%s is silence, and asked again after a while alone', async (_what, status, body) => {
  response = { status, body }
  expect(await releases.latest()).toBeNull()
  expect(await releases.latest()).toBeNull()
  expect(asked).toHaveLength(1)
  response = { status: 200, body: { tag_name: '1.2.3', html_url: latest.url } }
  nowMs += HOUR_MS
  expect(await releases.latest()).toEqual(latest)
})

test('what was known stays known while the repository is silent', async () => {
  await releases.latest()
  await new Promise((resolve) => server.close(resolve))
  nowMs += 7 * HOUR_MS
  expect(await releases.latest()).toEqual(latest)
  server.listen()
})
