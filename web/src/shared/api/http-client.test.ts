import { describe, expect, it } from 'vitest'
import { RedirectedError } from './api-error.ts'
import { createHttpClient } from './http-client.ts'
import { createTokenTabs } from './token-tabs.ts'

const nowMs = Date.parse('2026-01-01T00:00:00Z')

function tokenUntil(ms: number): string {
  return `x.${btoa(JSON.stringify({ exp: ms / 1000 }))}.x`
}

function json(status: number, body: unknown) {
  return new Response(JSON.stringify(body), { status })
}

function refusal(status: number, code: string) {
  return json(status, { statusCode: status, message: code, code })
}

type Storage = Parameters<typeof createTokenTabs>[0]['storage']
type Locks = Parameters<typeof createTokenTabs>[0]['locks']

function createStorage(): Storage {
  const items = new Map<string, string>()
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => items.set(name, value),
    removeItem: (name) => items.delete(name),
  }
}

/** Web Locks as far as the page uses them, which Node does not have. */
function createLocks(): Locks {
  let last: Promise<unknown> = Promise.resolve()
  const request = (_name: string, work: () => unknown) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
  return { request: request as NonNullable<Locks>['request'] }
}

interface Options {
  locks?: Locks
  storage?: Storage
  renewal?: () => Response
}

/** One tab of a browser; tabs that are given the same storage are of the same one. */
function client(
  respond: (path: string, calls: string[]) => Response,
  expiresInMs: number | null,
  { locks, storage = createStorage(), renewal = renewed }: Options = {},
) {
  const calls: string[] = []
  const http = createHttpClient({
    fetch: async (input) => {
      const path = input instanceof Request ? input.url : input.toString()
      calls.push(path)
      return path === '/api/auth/token' ? renewal() : respond(path, calls)
    },
    now: () => nowMs,
    accessTokenExpiresAt: expiresInMs === null ? null : new Date(nowMs + expiresInMs).toISOString(),
    tabs: createTokenTabs({ locks, storage }),
  })
  return { http, calls }
}

function renewed(): Response {
  return json(200, { accessToken: tokenUntil(nowMs + 900_000) })
}

const get = { method: 'GET', path: '/api/x' } as const

describe('the HTTP client', () => {
  it('renews an access token that has ended before it asks', async () => {
    const { http, calls } = client(() => json(200, {}), -1)
    await http.request(get)
    expect(calls).toEqual(['/api/auth/token', '/api/x'])
  })

  it('shares one renewal between calls made together', async () => {
    const { http, calls } = client(() => json(200, {}), -1)
    await Promise.all([http.request(get), http.request(get), http.ensureFresh()])
    expect(calls.filter((path) => path === '/api/auth/token')).toHaveLength(1)
  })

  it('renews once and asks again when the server does not know the session', async () => {
    const { http, calls } = client(
      (_path, made) => (made.length === 1 ? refusal(403, 'forbidden') : json(200, {})),
      900_000,
    )
    await http.request(get)
    expect(calls).toEqual(['/api/x', '/api/auth/token', '/api/x'])
  })

  it('takes a wrong share password for what it is', async () => {
    const { http, calls } = client(() => refusal(403, 'wrong_password'), 900_000)
    await expect(http.request(get)).rejects.toMatchObject({ status: 403, code: 'wrong_password' })
    expect(calls).toEqual(['/api/x'])
  })

  it('tells a redirect apart from a response', async () => {
    const redirect = Object.defineProperty(new Response(), 'type', { value: 'opaqueredirect' })
    const { http } = client(() => redirect, 900_000)
    await expect(http.request(get)).rejects.toBeInstanceOf(RedirectedError)
  })

  it('never renews for an anonymous visitor', async () => {
    const { http, calls } = client(() => refusal(403, 'forbidden'), null)
    await expect(http.request(get)).rejects.toMatchObject({ code: 'forbidden' })
    expect(calls).toEqual(['/api/x'])
  })

  it('tells that the session has ended, not that the server was away', async () => {
    let renewal = () => refusal(503, 'not_ready')
    const { http } = client(() => refusal(403, 'forbidden'), 900_000, { renewal: () => renewal() })
    let ends = 0
    const stop = http.onSessionEnd(() => (ends += 1))
    await expect(http.request(get)).rejects.toMatchObject({ code: 'forbidden' })
    expect(ends).toBe(0)
    renewal = () => refusal(401, 'unauthorized')
    await expect(http.request(get)).rejects.toMatchObject({ code: 'forbidden' })
    expect(ends).toBe(1)
    stop()
    http.recordAccessToken(tokenUntil(nowMs + 900_000))
    await expect(http.request(get)).rejects.toMatchObject({ code: 'forbidden' })
    expect(ends).toBe(1)
  })

  it('renews by the timer only when the token ends within two minutes', async () => {
    const late = client(() => json(200, {}), 121_000)
    await late.http.renewIfEnding()
    expect(late.calls).toEqual([])
    const soon = client(() => json(200, {}), 119_000)
    await soon.http.renewIfEnding()
    expect(soon.calls).toEqual(['/api/auth/token'])
  })
})

describe('the tabs of one browser', () => {
  const renewals = (...tabs: { calls: string[] }[]) =>
    tabs.flatMap(({ calls }) => calls).filter((path) => path === '/api/auth/token').length

  function openTabs(options: Options, count = 3) {
    return Array.from({ length: count }, () => client(() => json(200, {}), 60_000, options))
  }

  it('renew once when their timers fire together', async () => {
    const tabs = openTabs({ locks: createLocks(), storage: createStorage() })
    await Promise.all(tabs.map(({ http }) => http.renewIfEnding()))
    expect(renewals(...tabs)).toBe(1)
  })

  it('take up the token another one has renewed, and ask with it', async () => {
    const [first, second] = openTabs({ locks: createLocks(), storage: createStorage() }, 2)
    await first?.http.renewIfEnding()
    await second?.http.renewIfEnding()
    await second?.http.request(get)
    expect(second?.calls).toEqual(['/api/x'])
  })

  it('each renew where the browser has no locks, and go on', async () => {
    const tabs = openTabs({ storage: createStorage() })
    await Promise.all(tabs.map(({ http }) => http.renewIfEnding()))
    await Promise.all(tabs.map(({ http }) => http.request(get)))
    expect(renewals(...tabs)).toBe(3)
    expect(tabs.map(({ calls }) => calls.at(-1))).toEqual(['/api/x', '/api/x', '/api/x'])
  })

  it('renew one after another once one of them failed to', async () => {
    let attempts = 0
    const renewal = () => (attempts++ === 0 ? json(502, {}) : renewed())
    const tabs = openTabs({ locks: createLocks(), storage: createStorage(), renewal })
    await Promise.all(tabs.map(({ http }) => http.renewIfEnding()))
    expect(renewals(...tabs)).toBe(2)
  })

  it('renew a token the server refuses although no tab expected its end', async () => {
    const storage = createStorage()
    const options = { locks: createLocks(), storage }
    const respond = (_path: string, made: string[]) =>
      made.length === 1 ? refusal(403, 'forbidden') : json(200, {})
    createTokenTabs(options).recordExpiry(nowMs + 600_000)
    const tab = client(respond, 600_000, options)
    await tab.http.request(get)
    expect(tab.calls).toEqual(['/api/x', '/api/auth/token', '/api/x'])
  })

  it('forget the token of a session that has ended', async () => {
    const options = { locks: createLocks(), storage: createStorage() }
    const [first, second] = openTabs({ ...options, renewal: () => refusal(401, 'unauthorized') }, 2)
    await first?.http.renewIfEnding()
    await second?.http.renewIfEnding()
    expect(createTokenTabs(options).readExpiry()).toBeNull()
    expect(second?.calls).toEqual(['/api/auth/token'])
  })
})
