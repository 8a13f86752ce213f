import type { OwnReverseShare } from '@floe/contracts'
import { expect } from 'vitest'
import { type HttpResponse, type Client, createClient } from './http-client.ts'
import { addFile, createShare, type ShareOptions } from './shares.ts'

export const reverseShareInput = {
  shareExpiration: '1-day',
  maxShareSize: '50000000',
  maxUseCount: 2,
  sendEmailNotification: false,
}

/** Returns the token, the end of the link. */
export async function createReverseShare(
  owner: Client,
  options: Record<string, unknown> = {},
): Promise<string> {
  const json = { ...reverseShareInput, ...options }
  const response = await owner.send('POST', '/api/reverseShares', { json })
  expect(response.status, response.text).toBe(201)
  return (response.body as { token: string }).token
}

/** What the owner sees of it; `undefined` when it is not listed. */
export async function findOwn(owner: Client, token: string): Promise<OwnReverseShare | undefined> {
  const response = await owner.send('GET', '/api/reverseShares')
  expect(response.status, response.text).toBe(200)
  return (response.body as OwnReverseShare[]).find((one) => one.token === token)
}

/** A browser without an account that came by the link. */
export function openSender({ url }: Pick<Client, 'url'>, token: string): Client {
  const sender = createClient(url)
  sender.cookies.set('reverse_share_token', token)
  return sender
}

/** Begins a share through the link; returns its id. */
export async function beginSending(
  sender: Client,
  files: Record<string, Buffer | string>,
  options: ShareOptions = {},
): Promise<string> {
  const id = await createShare(sender, options)
  for (const [name, content] of Object.entries(files)) await addFile(sender, id, name, content)
  return id
}

/** Completes it, with what is said of it where the sender says something. */
export function complete(
  sender: Client,
  id: string,
  json?: Record<string, unknown>,
): Promise<HttpResponse> {
  return sender.send('POST', `/api/shares/${id}/complete`, json && { json })
}
