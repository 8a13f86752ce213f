import { createGuardrails, generateSync } from 'otplib'
import { expect } from 'vitest'
import type { Account } from './accounts.ts'
import { type HttpResponse, type Client, type ClientOptions, createClient } from './http-client.ts'

const STEP_SECONDS = 30
/** Old secrets have 80 bits. */
const guardrails = createGuardrails({ MIN_SECRET_BYTES: 10 })

/**
 * The code an authenticator shows now, or so many steps away. The server takes its neighbours too,
 * and each code once, so the codes of now and of the next step sign in twice without any waiting.
 */
export function totpCode(secret: string, stepsAhead = 0): string {
  const epoch = Date.now() / 1000 + stepsAhead * STEP_SECONDS
  return generateSync({ secret, epoch, guardrails })
}

/** Never accepted, also when the step ends meanwhile. */
export function wrongTotpCode(secret: string): string {
  const near = [-2, -1, 0, 1, 2].map((steps) => totpCode(secret, steps))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find(
    (code) => !near.includes(code),
  ) as string
}

/** Switches TOTP on; returns the secret and the code that did it, which is used from then on. */
export async function enrolWithCode(
  client: Client,
  account: Account,
): Promise<{ secret: string; code: string }> {
  const { password } = account
  const enabled = await client.send('POST', '/api/auth/totp/enable', { json: { password } })
  expect(enabled.status, enabled.text).toBe(201)
  const { totpSecret: secret } = enabled.body as { totpSecret: string }
  const code = totpCode(secret)
  const verified = await client.send('POST', '/api/auth/totp/verify', { json: { password, code } })
  expect(verified.status, verified.text).toBe(201)
  return { secret, code }
}

/** Switches TOTP on; returns the secret. */
export async function enrolTotp(client: Client, account: Account): Promise<string> {
  return (await enrolWithCode(client, account)).secret
}

/** The first step of signing in with TOTP, in a new browser. */
export async function beginSignIn(
  url: string,
  { email, password }: Account,
  options: ClientOptions = {},
): Promise<{ client: Client; loginToken: string }> {
  const client = createClient(url, options)
  const response = await client.send('POST', '/api/auth/signIn', { json: { email, password } })
  expect(response.status, response.text).toBe(200)
  return { client, loginToken: (response.body as { loginToken: string }).loginToken }
}

export function finishSignIn(
  { client, loginToken }: { client: Client; loginToken: string },
  totp: string,
): Promise<HttpResponse> {
  return client.send('POST', '/api/auth/signIn/totp', { json: { totp, loginToken } })
}
