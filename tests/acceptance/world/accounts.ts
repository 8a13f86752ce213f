import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { type Client, createClient } from './http-client.ts'
import type { FloeUnderTest } from './start-arrangements.ts'

export interface Account {
  email: string
  username: string
  password: string
}

export function newAccount(): Account {
  const name = `user_${randomBytes(6).toString('hex')}`
  return { email: `${name}@floe.test`, username: name, password: `pass ${name}` }
}

/** A client that is signed in as a new user. */
export async function signUp(
  { url }: Pick<FloeUnderTest, 'url'>,
  account: Account = newAccount(),
): Promise<Client> {
  const client = createClient(url)
  const response = await client.send('POST', '/api/auth/signUp', { json: account })
  expect(response.status, response.text).toBe(201)
  return client
}

export async function signInAsAdmin({ url, admin }: FloeUnderTest): Promise<Client> {
  return signIn(url, admin)
}

export async function signIn(
  url: string,
  { email, password }: { email: string; password: string },
): Promise<Client> {
  const client = createClient(url)
  const response = await client.send('POST', '/api/auth/signIn', { json: { email, password } })
  expect(response.status, response.text).toBe(200)
  return client
}
