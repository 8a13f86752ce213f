import { describe, expect, it } from 'vitest'
import { createHttpClient } from './http-client.ts'

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

function client(answer: (path: string, calls: string[]) => Response, expiresInMs: number | null) {
  const calls: string[] = []
  const http = createHttpClient({
    fetch: async (input) => {
      const path = input instanceof Request ? input.url : input.toString()
      calls.push(path)
      return path === '/api/auth/token'
        ? json(200, { accessToken: tokenUntil(nowMs + 900_000) })
        : answer(path, calls)
    },
    now: () => nowMs,
    accessTokenExpiresAt: expiresInMs === null ? null : new Date(nowMs + expiresInMs).toISOString(),
  })
  return { http, calls }
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

  it('never renews for a stranger', async () => {
    const { http, calls } = client(() => refusal(403, 'forbidden'), null)
    await expect(http.request(get)).rejects.toMatchObject({ code: 'forbidden' })
    expect(calls).toEqual(['/api/x'])
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
