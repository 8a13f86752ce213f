import { TOTAL_COUNT_HEADER } from '@floe/contracts'
import type { z } from 'zod'
import { renewalSchema, tokenExpiry } from './access-token.ts'
import { ApiError, readApiError, RedirectedError } from './api-error.ts'
import type { TokenTabs } from './token-tabs.ts'

/** How often the page looks whether its access token must be renewed, and how early it renews. */
export const TOKEN_CHECK_MS = 120_000

interface RequestOptions<S extends z.ZodType> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  /** Sent as JSON; a form as it is. */
  body?: unknown
  headers?: Record<string, string>
  /** Shape of the answer. Without it the answer's body is not read. */
  answer?: S
  signal?: AbortSignal
}

export interface ListPage<T> {
  rows: T[]
  total: number
}

export interface HttpClient {
  /** Throws `ApiError` and `RedirectedError`. */
  request<S extends z.ZodType = z.ZodVoid>(options: RequestOptions<S>): Promise<z.output<S>>
  /** One page of a list, and how many rows there are in all. Throws `ApiError`. */
  requestPage<S extends z.ZodType>(
    options: RequestOptions<z.ZodArray<S>> & { answer: z.ZodArray<S> },
  ): Promise<ListPage<z.output<S>>>
  /** Remembers until when the access token of a sign-in is good. */
  noteAccessToken(token: string): void
  forgetAccessToken(): void
  /** Calls back once the server no longer knows the session. Answers how to stop that. */
  onSessionEnd(listener: () => void): () => void
  /** Renews an access token that ends within `TOKEN_CHECK_MS`. Called by a timer. */
  renewIfEnding(): Promise<void>
  /** Renews an access token that has ended. Called ahead of requests made outside this client. */
  ensureFresh(): Promise<void>
}

export function createHttpClient({
  fetch,
  now,
  accessTokenExpiresAt,
  tabs,
}: {
  fetch: typeof globalThis.fetch
  now: () => number
  accessTokenExpiresAt: string | null
  tabs: TokenTabs
}): HttpClient {
  let expiresAtMs = accessTokenExpiresAt === null ? null : Date.parse(accessTokenExpiresAt)
  let renewal: Promise<boolean> | null = null
  const endListeners = new Set<() => void>()

  function noteExpiry(newExpiresAtMs: number | null): void {
    expiresAtMs = newExpiresAtMs
    tabs.noteExpiry(newExpiresAtMs)
  }

  /** A newer token than this tab knew of, which another tab has obtained. */
  function adoptNewer(marginMs: number): boolean {
    const newerMs = tabs.readExpiry()
    if (newerMs === null || newerMs <= (expiresAtMs ?? 0) || newerMs - now() <= marginMs) {
      return false
    }
    expiresAtMs = newerMs
    return true
  }

  async function renew(): Promise<boolean> {
    const response = await fetch('/api/auth/token', { method: 'POST' }).catch(() => null)
    if (!response) return false
    if (!response.ok) {
      if (response.status === 401) {
        noteExpiry(null)
        for (const listener of endListeners) listener()
      }
      return false
    }
    const answer = renewalSchema.safeParse(await response.json())
    if (!answer.success) return false
    noteExpiry(tokenExpiry(answer.data.accessToken))
    return true
  }

  // Concurrent callers and tabs share one renewal: the refresh token rotates, so a second call with
  // the old one would count as reuse and end the session.
  function renewOnce(marginMs: number): Promise<boolean> {
    const renewInTurn = async () => adoptNewer(marginMs) || (await renew())
    renewal ??= tabs.exclusively(renewInTurn).finally(() => {
      renewal = null
    })
    return renewal
  }

  async function renewWhenEndingWithin(marginMs: number): Promise<void> {
    if (expiresAtMs !== null && expiresAtMs - now() <= marginMs) await renewOnce(marginMs)
  }

  async function send<S extends z.ZodType>(options: RequestOptions<S>): Promise<Response> {
    const { method, path, body, headers, signal } = options
    const isJson = body !== undefined && !(body instanceof FormData)
    try {
      return await fetch(path, {
        method,
        redirect: 'manual',
        headers: { ...(isJson && { 'Content-Type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
        ...(signal && { signal }),
      })
    } catch (cause) {
      if (signal?.aborted) throw cause
      throw new ApiError({ status: 0, code: null, message: 'No answer' })
    }
  }

  async function exchange<S extends z.ZodType>(options: RequestOptions<S>): Promise<Response> {
    await renewWhenEndingWithin(0)
    let response = await send(options)
    if (response.type === 'opaqueredirect') throw new RedirectedError()
    if (!response.ok) {
      let error = await readApiError(response)
      if (expiresAtMs !== null && mayBeExpired(error) && (await renewOnce(0))) {
        response = await send(options)
        if (!response.ok) error = await readApiError(response)
      }
      if (!response.ok) throw error
    }
    return response
  }

  return {
    async request<S extends z.ZodType = z.ZodVoid>(options: RequestOptions<S>) {
      const response = await exchange(options)
      if (!options.answer) return undefined as z.output<S>
      return options.answer.parse(await response.json())
    },
    async requestPage(options) {
      const response = await exchange(options)
      const rows = options.answer.parse(await response.json())
      const total = Number(response.headers.get(TOTAL_COUNT_HEADER) ?? rows.length)
      return { rows, total }
    },
    noteAccessToken(token) {
      noteExpiry(tokenExpiry(token))
    },
    forgetAccessToken() {
      noteExpiry(null)
    },
    onSessionEnd(listener) {
      endListeners.add(listener)
      return () => void endListeners.delete(listener)
    },
    renewIfEnding: () => renewWhenEndingWithin(TOKEN_CHECK_MS),
    ensureFresh: () => renewWhenEndingWithin(0),
  }
}

// The other refusals (a wrong share password, say) are about something else than the session.
function mayBeExpired({ status, code }: ApiError): boolean {
  return code === 'unauthorized' || code === 'forbidden' || (status === 401 && code === null)
}
