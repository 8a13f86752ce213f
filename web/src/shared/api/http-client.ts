import { TOTAL_COUNT_HEADER } from '@floe/contracts'
import type { z } from 'zod'
import { tokenExpiry } from './access-token.ts'
import { ApiError, readApiError, RedirectedError } from './api-error.ts'
import { createTokenRenewal, type TokenRenewalOptions } from './token-renewal.ts'

/** How often the page looks whether its access token must be renewed, and how early it renews. */
export const TOKEN_CHECK_MS = 120_000

interface RequestOptions<S extends z.ZodType> {
  method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  /** Sent as JSON; a form as it is. */
  body?: unknown
  headers?: Record<string, string>
  /** Shape of the response. Without it the body is not read. */
  response?: S
  signal?: AbortSignal
}

export interface ListPage<T> {
  rows: T[]
  total: number
}

export interface HttpClient {
  /** Throws `ApiError` and `RedirectedError`. */
  request<S extends z.ZodType = z.ZodVoid>(options: RequestOptions<S>): Promise<z.output<S>>
  /** The response itself, whose body is not JSON. Throws `ApiError`. */
  requestRaw(options: RequestOptions<z.ZodVoid>): Promise<Response>
  /** One page of a list, and how many rows there are in all. Throws `ApiError`. */
  requestPage<S extends z.ZodType>(
    options: RequestOptions<z.ZodArray<S>> & { response: z.ZodArray<S> },
  ): Promise<ListPage<z.output<S>>>
  /** Remembers until when the access token of a sign-in is good. */
  recordAccessToken(token: string): void
  forgetAccessToken(): void
  /** Calls back once the server no longer knows the session. Returns what stops that. */
  onSessionEnd(listener: () => void): () => void
  /** Renews an access token that ends within `TOKEN_CHECK_MS`. Called by a timer. */
  renewIfEnding(): Promise<void>
  /** Renews an access token that has ended. Called ahead of requests made outside this client. */
  ensureFresh(): Promise<void>
}

export function createHttpClient(options: TokenRenewalOptions): HttpClient {
  const { fetch } = options
  const token = createTokenRenewal(options)

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
      throw new ApiError({ status: 0, code: null, message: 'No response' })
    }
  }

  async function exchange<S extends z.ZodType>(options: RequestOptions<S>): Promise<Response> {
    await token.renewWhenEndingWithin(0)
    let response = await send(options)
    if (response.type === 'opaqueredirect') throw new RedirectedError()
    if (!response.ok) {
      let error = await readApiError(response)
      if (token.hasToken() && mayBeExpired(error) && (await token.renewOnce(0))) {
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
      if (!options.response) return undefined as z.output<S>
      return options.response.parse(response.status === 204 ? undefined : await response.json())
    },
    requestRaw: exchange,
    async requestPage(options) {
      const response = await exchange(options)
      const rows = options.response.parse(await response.json())
      const total = Number(response.headers.get(TOTAL_COUNT_HEADER) ?? rows.length)
      return { rows, total }
    },
    recordAccessToken: (accessToken) => token.recordExpiry(tokenExpiry(accessToken)),
    forgetAccessToken: () => token.recordExpiry(null),
    onSessionEnd: token.onSessionEnd,
    renewIfEnding: () => token.renewWhenEndingWithin(TOKEN_CHECK_MS),
    ensureFresh: () => token.renewWhenEndingWithin(0),
  }
}

// The other refusals (a wrong share password, say) are about something else than the session.
function mayBeExpired({ status, code }: ApiError): boolean {
  return code === 'unauthorized' || code === 'forbidden' || (status === 401 && code === null)
}
