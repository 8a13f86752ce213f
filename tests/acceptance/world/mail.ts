import type { SmtpCatcher } from '@floe/testing'
import { expect, vi } from 'vitest'
import { newAccount, signUp } from './accounts.ts'
import { type Client, createClient } from './http-client.ts'

type Change = { key: string; value: string | number | boolean }

export async function changeSettings(admin: Client, changes: readonly Change[]): Promise<void> {
  const response = await admin.send('PATCH', '/api/configs/admin', { json: changes })
  expect(response.status, response.text).toBe(200)
}

/** Resolves once a mail has really arrived: every part knows the settings by then. */
export async function sendMailsTo(catcher: SmtpCatcher, admin: Client): Promise<void> {
  await changeSettings(admin, [
    { key: 'smtp.enabled', value: true },
    { key: 'smtp.host', value: catcher.host },
    { key: 'smtp.port', value: catcher.port },
    { key: 'smtp.email', value: 'floe@floe.test' },
  ])
  const { url } = admin
  const probe = newAccount()
  await signUp({ url }, probe)
  await vi.waitFor(
    async () => {
      await requestPasswordReset(url, probe.email)
      await catcher.waitForMessages(1, { to: probe.email, timeoutMs: 2_000 })
    },
    { timeout: 20_000, interval: 0 },
  )
}

export async function sendNoMails(admin: Client): Promise<void> {
  const keys = ['smtp.enabled', 'smtp.host', 'smtp.port', 'smtp.email']
  await changeSettings(
    admin,
    keys.map((key) => ({ key, value: '' })),
  )
}

export async function requestPasswordReset(url: string, email: string): Promise<void> {
  const path = `/api/auth/resetPassword/${encodeURIComponent(email)}`
  const response = await createClient(url).send('POST', path)
  expect(response).toMatchObject({ status: 202, text: '' })
}

/** The token in the newest link to a new password that was sent to the address. */
export function readPasswordToken(catcher: SmtpCatcher, to: string): Promise<string> {
  return readToken(catcher, to, /\/auth\/resetPassword\/([\w-]+)/)
}

/** The token in the link that was sent to confirm the address. */
export function readEmailToken(catcher: SmtpCatcher, to: string): Promise<string> {
  return readToken(catcher, to, /\/auth\/verify\/([\w-]+)/)
}

async function readToken(catcher: SmtpCatcher, to: string, link: RegExp): Promise<string> {
  const messages = await catcher.waitForMessages(1, { to })
  const token = link.exec(messages.at(-1)?.text ?? '')?.[1]
  if (token === undefined) throw new Error(`no link in: ${messages.at(-1)?.text}`)
  return token
}
