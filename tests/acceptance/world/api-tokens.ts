import { type CreatedToken, tokenScopes } from '@floe/contracts'
import { expect } from 'vitest'
import { type Client, createClient } from './http-client.ts'

export interface TokenInput {
  name?: string
  scopes?: readonly string[]
  expiresIn?: string
  networks?: string[]
  maxShareSize?: number
  maxExpiration?: string
}

/** A token of who is signed in, with every scope that they may give it. */
export async function makeToken(owner: Client, input: TokenInput = {}): Promise<CreatedToken> {
  const scopes = tokenScopes.filter((scope) => !scope.startsWith('admin:'))
  const json = { name: 'script', scopes, ...input }
  const response = await owner.send('POST', '/api/tokens', { json })
  expect(response.status, response.text).toBe(201)
  return response.body as CreatedToken
}

/** A script: it sends the token with every request, and keeps no cookie. */
export function createScript(url: string, token: string): Client {
  const client = createClient(url)
  const authorization = { Authorization: `Bearer ${token}` }
  return {
    ...client,
    send: (method, path, options = {}) =>
      client.send(method, path, { ...options, headers: { ...options.headers, ...authorization } }),
  }
}
