import createFetchClient, { type Client as FetchClient } from 'openapi-fetch'
import type { paths } from './api.ts'
import { FloeError } from './floe-error.ts'

export type Client = FetchClient<paths>

export interface ClientOptions {
  /** The address of the site: `https://files.example.org`. */
  baseUrl: string
  /** An access token (`floe_…`); without one a client is a visitor. */
  token?: string | undefined
  fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** Some bodies have no member for the code: it is in each refusal's headers. */
const CODE_HEADER = 'X-Error-Code'

/**
 * A client of Floe's API, by path and method: `client.GET('/api/shares')`. Its types are made from
 * the API description.
 */
export function createClient({ baseUrl, token, fetch }: ClientOptions): Client {
  return createFetchClient<paths>({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    ...(token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } }),
    ...(fetch === undefined ? {} : { fetch }),
  })
}

/** What a call returned. Throws `FloeError` where it was refused. */
export async function unwrap<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await call
  if (!response.ok) {
    const { status, headers } = response
    throw new FloeError(status, error, {
      code: headers.get(CODE_HEADER),
      retryAfter: headers.get('Retry-After'),
    })
  }
  // Where a success has no body, `data` is absent, and so its type is `undefined`.
  return data as T
}
