import type { OwnReverseShare } from '@floe/contracts'
import type { HttpResponse, Browser } from './browser.ts'
import { newShareId, shareInput, type ShareWorld } from './share-world.ts'

export function reverseShareInput(rest: Record<string, unknown> = {}) {
  return {
    shareExpiration: '7-days',
    maxShareSize: '1000',
    maxUseCount: 2,
    sendEmailNotification: false,
    ...rest,
  }
}

/** Returns the token. */
export async function createReverseShare(
  owner: Browser,
  rest: Record<string, unknown> = {},
): Promise<string> {
  const body = reverseShareInput(rest)
  const response = await owner.send('POST', '/api/reverseShares', { body })
  if (response.status !== 201) throw new Error(`create returned ${JSON.stringify(response.body)}`)
  return (response.body as { token: string }).token
}

export async function readOwn(owner: Browser, token: string): Promise<OwnReverseShare> {
  const { body } = await owner.send('GET', '/api/reverseShares')
  const found = (body as OwnReverseShare[]).find((one) => one.token === token)
  if (found === undefined) throw new Error(`${token} is not listed`)
  return found
}

/** Begins a share through the link, with one file in it; returns its id. */
export async function beginSending(
  world: ShareWorld,
  { sender, token }: { sender: Browser; token: string },
  rest: Record<string, unknown> = {},
): Promise<string> {
  const id = newShareId()
  sender.cookies.set('reverse_share_token', token)
  const created = await sender.send('POST', '/api/shares', { body: shareInput(id, rest) })
  if (created.status !== 201) throw new Error(`create returned ${JSON.stringify(created.body)}`)
  await world.addFile(id)
  return id
}

export function complete(
  sender: Browser,
  id: string,
  body?: Record<string, unknown>,
): Promise<HttpResponse> {
  return sender.send('POST', `/api/shares/${id}/complete`, body && { body })
}

/** Sends a share through the link; returns its id. */
export async function sendShare(
  world: ShareWorld,
  through: { sender: Browser; token: string },
  rest: Record<string, unknown> = {},
): Promise<string> {
  const id = await beginSending(world, through, rest)
  const completed = await complete(through.sender, id)
  if (completed.status !== 202) throw new Error(`complete returned ${completed.status}`)
  return id
}
