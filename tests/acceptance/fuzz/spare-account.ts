import type { SmtpCatcher } from '@floe/testing'
import { expect } from 'vitest'
import { type Account, newAccount, signIn, signUp } from '../world/accounts.ts'
import { type Client, createClient } from '../world/http-client.ts'
import { totpCode } from '../world/totp.ts'
import type { PlannedCall } from './planned-calls.ts'
import type { WireResponse } from './send.ts'

/** An account that may be changed and ended: the next call of its kind gets another one. */
export interface Spare {
  client: Client
  account: Account
  sessionId: string
  userId: string
  totpSecret: string | null
  loginToken: string | null
}

/** Where accounts are made, and by whom those of administrators. */
interface Makers {
  url: string
  root: Client
}

export async function signUpAdmin({ url, root }: Makers) {
  const account = newAccount()
  const created = await root.send('POST', '/api/users', { json: { ...account, isAdmin: true } })
  expect(created.status, created.text).toBe(201)
  return { account, client: await signIn(url, account) }
}

/** In turn without TOTP, with TOTP begun, and with TOTP and a first step of signing in. */
export async function makeSpare(
  options: Makers,
  { isAdmin, kind }: { isAdmin: boolean; kind: number },
): Promise<Spare> {
  const account = newAccount()
  const client = isAdmin ? undefined : await signUp(options, account)
  const signedIn = client ? { client, account } : await signUpAdmin(options)
  const spare: Spare = {
    ...signedIn,
    sessionId: await firstId(signedIn.client, '/api/auth/sessions'),
    userId: '',
    totpSecret: null,
    loginToken: null,
  }
  const { password } = spare.account
  if (kind % 3 > 0) {
    const enabled = await spare.client.send('POST', '/api/auth/totp/enable', { json: { password } })
    expect(enabled.status, enabled.text).toBe(201)
    spare.totpSecret = (enabled.body as { totpSecret: string }).totpSecret
  }
  if (kind % 3 > 1 && spare.totpSecret !== null) {
    const json = { password, code: totpCode(spare.totpSecret) }
    const verified = await spare.client.send('POST', '/api/auth/totp/verify', { json })
    expect(verified.status, verified.text).toBe(201)
    const begun = await createClient(options.url).send('POST', '/api/auth/signIn', {
      json: { email: spare.account.email, password },
    })
    spare.loginToken = (begun.body as { loginToken?: string }).loginToken ?? null
  }
  return spare
}

async function firstId(client: Client, path: string): Promise<string> {
  const { status, text, body } = await client.send('GET', path)
  expect(status, text).toBe(200)
  return (body as { id: string }[])[0]?.id ?? ''
}

/** Whether the account can still be used as it is known. */
export function learnAccount(
  spare: Spare,
  { route }: PlannedCall,
  sent: Buffer | null,
  { headers, bytes }: WireResponse,
): boolean {
  const body = readObject(bytes)
  if (typeof body['totpSecret'] === 'string') spare.totpSecret = body['totpSecret']
  if (typeof body['loginToken'] === 'string') spare.loginToken = body['loginToken']
  const isOwnSession = !route.startsWith('signIn')
  if (isOwnSession) spare.client.cookies.store(headers['set-cookie'] ?? [])
  if (route === 'updateOwnUser') {
    const { email, username } = body
    if (typeof email !== 'string' || typeof username !== 'string') return false
    spare.account = { ...spare.account, email, username }
  }
  if (route === 'changePassword') {
    const { password } = readObject(sent ?? Buffer.alloc(0))
    if (typeof password !== 'string') return false
    spare.account = { ...spare.account, password }
  }
  return true
}

export function readObject(bytes: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    // No JSON tells nothing.
    return {}
  }
}

export function newestResetToken(
  { messages }: SmtpCatcher,
  to: string | undefined,
): string | undefined {
  const message = messages.findLast((one) => to !== undefined && one.to.includes(to))
  return /\/auth\/resetPassword\/([\w-]+)/.exec(message?.text ?? '')?.[1]
}
