import { expect } from 'vitest'
import { type HttpResponse, type Client, createClient } from './http-client.ts'

const refreshPath = '/api/auth/token'

export function me(client: Client): Promise<HttpResponse> {
  return client.send('GET', '/api/users/me')
}

export function renew(client: Client): Promise<HttpResponse> {
  return client.send('POST', refreshPath)
}

/** A client with the cookies that the other has now, as a thief or a second tab would have them. */
export function copyOf(client: Client): Client {
  const copy = createClient(client.url)
  for (const name of client.cookies.names()) {
    const path = name === 'refresh_token' ? refreshPath : '/'
    copy.cookies.set(name, client.cookies.get(name) ?? '', path)
  }
  return copy
}

/** A client that holds this refresh token and nothing else. */
export function holderOf(refreshToken: string | undefined, { url }: Pick<Client, 'url'>): Client {
  const holder = createClient(url)
  holder.cookies.set('refresh_token', refreshToken ?? '', refreshPath)
  return holder
}

/** Both tokens, as they were held before, are worth nothing at their very next request. */
export async function expectEnded(held: Client, what = ''): Promise<void> {
  const response = await me(held)
  expect(response.status, `${what}: ${response.text}`).toBe(403)
  const renewed = await renew(held)
  expect(renewed.status, `${what}: ${renewed.text}`).toBe(401)
  expect(renewed.headers['set-cookie'] ?? []).not.toContainEqual(
    expect.stringMatching(/^(?:access|refresh)_token=[^;]/),
  )
}

export async function expectSignedIn(client: Client, what = ''): Promise<void> {
  const response = await me(client)
  expect(response.status, `${what}: ${response.text}`).toBe(200)
}
