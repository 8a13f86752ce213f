import { Agent, type RequestOptions } from 'node:http'
import { defaultSettings, routes } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { createRouter, errorHandler, implementPublic, notFoundHandler } from '@floe/http'
import express from 'express'
import { afterEach, describe, expect, test } from 'vitest'
import {
  type Rig,
  type RigOptions,
  send,
  startGateway,
  startRawService,
  startService,
} from './testing/gateway-rig.ts'

const closers: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function start(options: RigOptions = {}): Promise<Rig> {
  const rig = await startGateway(options)
  closers.push(rig.close)
  return rig
}

describe('both arrangements', () => {
  const implemented = [
    implementPublic(routes.signIn, ({ body }) => {
      if (body.password !== 'right') throw new AppError('wrong_credentials')
      return { accessToken: `for ${body.email ?? ''}`, refreshToken: 'r' }
    }),
    implementPublic(routes.signOut, ({ req, res }) => {
      res.json({ ip: req.ip, host: req.host, protocol: req.protocol, url: req.originalUrl })
    }),
    implementPublic(routes.renewToken, ({ res }) => {
      res.set('Cache-Control', 'private, max-age=60')
      return { accessToken: 'a' }
    }),
    implementPublic(routes.listConfig, () => {
      throw new Error('secret inside')
    }),
  ]
  const paths = ['/api/auth', '/api/configs']

  async function bothArrangements(options: RigOptions = {}): Promise<[Rig, Rig]> {
    const app = express()
    app.disable('x-powered-by').set('trust proxy', 1)
    app.use(createRouter(implemented), notFoundHandler(), errorHandler({ error: () => undefined }))
    const service = await startService(app)
    closers.push(service.close)
    return [
      await start({ ...options, upstreams: [{ name: 'auth', paths, local: implemented }] }),
      await start({ ...options, upstreams: [{ name: 'auth', paths, url: service.url }] }),
    ]
  }

  const json = { 'Content-Type': 'application/json' }
  const calls: [string, string, RequestOptions & { body?: string }][] = [
    [
      'a good call',
      '/api/auth/signIn',
      { method: 'POST', headers: json, body: '{"email":"a","password":"right"}' },
    ],
    [
      'a refused call',
      '/api/auth/signIn',
      { method: 'POST', headers: json, body: '{"email":"a","password":"no"}' },
    ],
    ['bad input', '/api/auth/signIn', { method: 'POST', headers: json, body: '{}' }],
    ['bad JSON', '/api/auth/signIn', { method: 'POST', headers: json, body: '{' }],
    [
      'a body too large',
      '/api/auth/signIn',
      { method: 'POST', headers: json, body: `"${'x'.repeat(200_000)}"` },
    ],
    ['an unknown route of a known service', '/api/auth/nope', {}],
    ['an unknown route', '/api/nope', {}],
    ['a failure inside', '/api/configs', {}],
    [
      'a call from another site',
      '/api/auth/signOut',
      { method: 'POST', headers: { Origin: 'https://evil.example' } },
    ],
    [
      'forged forwarding headers',
      '/api/auth/signOut?x=1',
      {
        method: 'POST',
        headers: {
          Host: 'a.example',
          'X-Forwarded-For': '6.6.6.6',
          'X-Forwarded-Host': 'b.example',
          'X-Forwarded-Proto': 'https',
        },
      },
    ],
  ]

  test('give the same responses', async () => {
    const [local, remote] = await bothArrangements()
    for (const [what, path, options] of calls) {
      // Also what tells how the connection goes on.
      const kept = { ...options, agent: new Agent({ keepAlive: true }) }
      const responses = [await send(local, path, kept), await send(remote, path, kept)]
      kept.agent.destroy()
      const [here, there] = responses.map(({ status, headers, headerNames, text }) => {
        const { date: _date, 'x-request-id': _id, ...rest } = headers
        return { status, headers: rest, names: headerNames.sort(), text }
      })
      expect(there, what).toEqual(here)
      expect(here?.headers.connection, what).toBe('keep-alive')
    }
  })

  test('forged forwarding headers change nothing, and a trusted proxy is believed', async () => {
    const headers = {
      Host: 'own.example',
      'X-Forwarded-For': '6.6.6.6',
      'X-Forwarded-Host': 'b.example',
      'X-Forwarded-Proto': 'https',
    }
    for (const rig of await bothArrangements()) {
      const seen = await send(rig, '/api/auth/signOut?x=1', { method: 'POST', headers })
      expect(JSON.parse(seen.text)).toEqual({
        ip: '127.0.0.1',
        host: 'own.example',
        protocol: 'http',
        url: '/api/auth/signOut?x=1',
      })
      expect(seen.headers).not.toHaveProperty('strict-transport-security')
    }
    for (const rig of await bothArrangements({ trustedProxies: ['127.0.0.0/8'] })) {
      const seen = await send(rig, '/api/auth/signOut', { method: 'POST', headers })
      expect(JSON.parse(seen.text)).toMatchObject({
        ip: '6.6.6.6',
        host: 'b.example',
        protocol: 'https',
      })
      expect(seen.headers['strict-transport-security']).toBe('max-age=31536000')
    }
  })

  test('an IPv4 address is told as one, whatever the socket or the proxy makes of it', async () => {
    const tell = async (rig: Rig, forwardedFor?: string) => {
      const headers = forwardedFor === undefined ? {} : { 'X-Forwarded-For': forwardedFor }
      const { text } = await send(rig, '/api/auth/signOut', { method: 'POST', headers })
      return (JSON.parse(text) as { ip: string }).ip
    }
    for (const rig of await bothArrangements({ listensEverywhere: true })) {
      expect(await tell(rig)).toBe('127.0.0.1')
      expect(rig.logged.join()).toContain('"clientAddress":"127.0.0.1"')
    }
    for (const trusted of ['127.0.0.1', '127.0.0.0/8', '::ffff:127.0.0.1', '::ffff:7f00:0/104']) {
      const options = { listensEverywhere: true, trustedProxies: [trusted] } as const
      for (const rig of await bothArrangements(options)) {
        expect(await tell(rig, '198.51.100.7'), trusted).toBe('198.51.100.7')
        expect(await tell(rig, '::ffff:198.51.100.7'), trusted).toBe('198.51.100.7')
        expect(await tell(rig, '2001:db8::7'), trusted).toBe('2001:db8::7')
      }
    }
  })

  test('what the API tells is kept by nobody, unless its route says so', async () => {
    for (const rig of await bothArrangements()) {
      for (const [what, path, options] of calls) {
        const { headers } = await send(rig, path, options)
        expect(headers['cache-control'], what).toBe('no-store')
      }
      const own = await send(rig, '/api/auth/token', { method: 'POST' })
      expect(own.headers['cache-control']).toBe('private, max-age=60')
      const description = await send(rig, '/api/docs/openapi.json')
      expect(description.headers['cache-control']).toBe('no-store')
      const reader = await send(rig, '/api/docs/swagger-ui.css')
      expect(reader.headers['cache-control']).toBe('public, max-age=0')
    }
  })

  test('a client that asks before it sends is known by its own address too', async () => {
    for (const rig of await bothArrangements()) {
      const headers = { Expect: '100-continue', 'X-Forwarded-For': '198.51.100.7' }
      const response = await send(rig, '/api/auth/signOut', { method: 'POST', headers, body: '{}' })
      const host = `127.0.0.1:${rig.port}`
      expect(JSON.parse(response.text)).toMatchObject({ ip: '127.0.0.1', host, protocol: 'http' })
    }
  })

  test('more calls at once than there are connections wait, and keep their headers', async () => {
    const inside: (() => void)[] = []
    const asked: string[] = []
    const service = await startService((req, res) => {
      asked.push(JSON.stringify([req.headers['x-forwarded-for'], req.headers['x-forwarded-host']]))
      const respond = () => res.end(req.headers['te'] ?? 'none')
      // The first ones hold every connection until the last has come to the gateway.
      if (inside.push(respond) === 256) inside.splice(0).forEach((release) => release())
      else if (asked.length > 256) respond()
    })
    closers.push(service.close)
    const rig = await start({ upstreams: [{ name: 'auth', paths, url: service.url }] })
    const responses = await Promise.all(
      Array.from({ length: 400 }, () =>
        send(rig, '/api/auth/signIn', {
          method: 'POST',
          headers: { ...json, TE: 'trailers' },
          body: '{"email":"a","password":"no"}',
        }),
      ),
    )
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set(['200 none']),
    )
    expect(asked).toHaveLength(400)
    expect(new Set(asked)).toEqual(new Set([`["127.0.0.1","127.0.0.1:${rig.port}"]`]))
  })

  test('a service that is away returns 502 with its code', async () => {
    const rig = await start({ upstreams: [{ name: 'auth', paths, url: 'http://127.0.0.1:1' }] })
    const response = await send(rig, '/api/auth/signIn', {
      method: 'POST',
      headers: json,
      body: '{}',
    })
    expect([response.status, response.code]).toEqual([502, 'upstream_unavailable'])
    expect(response.text).not.toContain('127.0.0.1')
  })

  test('what only reads is asked again where there was no response, and a change is not', async () => {
    const heads: string[] = []
    const service = await startRawService((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (chunk) => {
        heads.push(chunk.toString().split(' ', 1)[0] ?? '')
        if (heads.length < 3) socket.resetAndDestroy()
        else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]')
      })
    })
    closers.push(service.close)
    const upstreams = [{ name: 'auth', paths: ['/api/configs'], url: service.url }]
    const rig = await start({ upstreams })
    expect((await send(rig, '/api/configs')).text).toBe('[]')
    expect(heads).toEqual(['GET', 'GET', 'GET'])
    heads.length = 0
    const refused = await send(rig, '/api/configs', { method: 'POST', body: '{}' })
    expect([refused.status, refused.headers['retry-after']]).toEqual([502, '1'])
    expect(heads).toEqual(['POST'])
  })

  test('headers that a service declares private to its connection stay behind', async () => {
    const service = await startService((_req, res) => {
      res.writeHead(200, { 'X-Kept': '1', 'X-Private': '1', Connection: 'close, X-Private' })
      res.end('[]')
    })
    closers.push(service.close)
    const rig = await start({ upstreams: [{ name: 'auth', paths, url: service.url }] })
    const { headers } = await send(rig, '/api/auth/x')
    expect(headers['x-kept']).toBe('1')
    expect(headers).not.toHaveProperty('x-private')
  })

  test('a service that dies in its JSON breaks the response off', async () => {
    const service = await startRawService((socket) => {
      socket.on('data', () =>
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"a":', () => socket.destroy()),
      )
    })
    closers.push(service.close)
    const rig = await start({ upstreams: [{ name: 'auth', paths, url: service.url }] })
    await expect(send(rig, '/api/auth/x')).rejects.toThrow(/aborted|hang up|ECONNRESET/)
  })

  test('the way between processes is closed from outside', async () => {
    const [, remote] = await bothArrangements()
    const response = await send(remote, '/internal/auth/identify', {
      method: 'POST',
      headers: { ...json, 'X-Internal-Secret': 'x' },
      body: '{}',
    })
    expect([response.status, response.code]).toEqual([404, 'route_not_found'])
  })
})

describe('the edge', () => {
  test('health says OK, and 503 ERROR while it is not so; its details say which release runs', async () => {
    let isWell = true
    const isUp = async () => isWell
    const rig = await start({ health: { isUp, isReady: isUp, version: '1.2.3+floe.4' } })
    for (const path of ['/api/health', '/api/health/ready', '/api/health/live']) {
      const up = await send(rig, path)
      expect([up.status, up.text, up.headers['content-type'], up.headers['cache-control']]).toEqual(
        [200, 'OK', 'text/plain; charset=utf-8', 'no-store'],
      )
    }
    const details = async () => JSON.parse((await send(rig, '/api/health/details')).text) as unknown
    expect(await details()).toEqual({ version: '1.2.3+floe.4', isUp: true, isReady: true })
    isWell = false
    expect(await details()).toEqual({ version: '1.2.3+floe.4', isUp: false, isReady: false })
    expect(await send(rig, '/api/health')).toMatchObject({ status: 503, text: 'ERROR' })
    expect(await send(rig, '/api/health/ready')).toMatchObject({ status: 503, text: 'ERROR' })
    // A restart would help nothing that is missing elsewhere.
    expect(await send(rig, '/api/health/live')).toMatchObject({ status: 200, text: 'OK' })
  })

  test.each(['/%', '/%zz', '/api/shares/%E0%A4%A', '/share/%C0%AF', '/assets/%00'])(
    'refuses the malformed path %s',
    async (path) => {
      const response = await send(await start(), path)
      expect([response.status, response.code]).toEqual([400, 'invalid_path'])
    },
  )

  test('an absolute-form target is read as its path', async () => {
    const rig = await start()
    expect((await send(rig, 'http://other.example/api/health')).text).toBe('OK')
    expect((await send(rig, 'ftp://other.example/api/health')).code).toBe('invalid_path')
  })

  test('requests of the configured addresses pass, those of the default address do not', async () => {
    const settings = { 'general.appUrl': 'https://files.example.com' }
    const rig = await start({ settings, publicUrl: 'https://public.example' })
    const post = async (origin: string, to = rig) =>
      (
        await send(to, '/api/x', {
          method: 'POST',
          headers: { Origin: origin, Host: 'inner:3000' },
        })
      ).code
    expect(await post('https://files.example.com')).toBe('route_not_found')
    expect(await post('https://public.example')).toBe('route_not_found')
    expect(await post('http://inner:3000')).toBe('route_not_found')
    expect(await post('http://files.example.com')).toBe('cross_site_request')
    expect(await post('https://evil.example')).toBe('cross_site_request')
    expect(await post('null')).toBe('cross_site_request')
    // Until an address is set: it would trust whatever runs on the visitor's own machine.
    for (const appUrl of [defaultSettings()['general.appUrl'], 'http://localhost:8080']) {
      const fresh = await start({ settings: { 'general.appUrl': appUrl } })
      expect(await post(appUrl, fresh)).toBe('cross_site_request')
    }
  })

  test('an id from outside is kept only from a trusted proxy', async () => {
    const headers = { 'X-Request-Id': 'from-the-proxy-1' }
    const closed = await start()
    const open = await start({ trustedProxies: ['127.0.0.1'] })
    expect((await send(closed, '/api/health', { headers })).headers['x-request-id']).toMatch(
      /^[\da-f-]{36}$/,
    )
    expect((await send(open, '/api/health', { headers })).headers['x-request-id']).toBe(
      'from-the-proxy-1',
    )
    const odd = { 'X-Request-Id': 'a b"c' }
    expect((await send(open, '/api/health', { headers: odd })).headers['x-request-id']).not.toBe(
      'a b"c',
    )
  })

  test('the log has a line for each request and no secret of it', async () => {
    const rig = await start()
    const { headers } = await send(rig, '/auth/resetPassword/hush-1?token=hush-2', {
      headers: { Cookie: 'access_token=hush-3', Authorization: 'hush-4' },
    })
    expect(rig.logged.join()).toContain(String(headers['x-request-id']))
    expect(rig.logged.join()).toContain('/auth/resetPassword/:token')
    expect(rig.logged.join()).not.toContain('hush')
  })

  test('the description of the API is read without anything from outside', async () => {
    const rig = await start()
    const document = await send(rig, '/api/docs/openapi.json')
    expect(JSON.parse(document.text)).toMatchObject({
      openapi: '3.1.0',
      info: { version: '1.2.3+floe.4' },
    })
    expect((await send(rig, '/api/docs')).headers.location).toBe('/api/docs/')
    const page = await send(rig, '/api/docs/')
    expect(page.headers['content-security-policy']).toContain("default-src 'self'")
    const assets = [...page.text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, path]) => path ?? '')
    expect(assets.length).toBeGreaterThan(3)
    for (const asset of assets) {
      expect(asset).toMatch(/^\.\//)
      expect((await send(rig, `/api/docs/${asset.slice(2)}`)).status, asset).toBe(200)
    }
  })
})
