import { tokenScopes, type WebhookWithSecret } from '@floe/contracts'
import { type RunningFloe, startFloe } from '@floe/testing'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAccount, signUp } from './world/accounts.ts'
import { createScript, makeToken } from './world/api-tokens.ts'
import { ownArrangements } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { beginSending, complete, createReverseShare, openSender } from './world/reverse-shares.ts'
import { openShare, publishShare, readFiles } from './world/shares.ts'
import { openWebhookReceiver, type WebhookReceiver } from './world/webhook-receiver.ts'

// A Floe of its own: the receiver is on this very machine, where no other one may send to.
describe.each(ownArrangements)('webhooks, %s', (arrangement) => {
  let floe: RunningFloe
  let receiver: WebhookReceiver
  let url: string
  let admin: Client
  let owner: Client
  let secret: string
  const hear = (type: string, about: Record<string, unknown>) => receiver.hear(type, about)

  beforeAll(async () => {
    receiver = await openWebhookReceiver()
    ;({ url } = receiver)
    floe = await startFloe({ arrangement, environment: { WEBHOOK_NETWORKS: '127.0.0.0/8' } })
    admin = await signUp(floe)
    owner = await signUp(floe)
    const events = [
      ...['share.completed', 'share.opened', 'share.downloaded', 'share.deleted'],
      'request.received',
    ]
    ;({ secret } = await create(owner, { events }))
  })
  afterAll(async () => {
    await floe?.stop()
    receiver?.server.close()
  })

  async function create(client: Client, input: object): Promise<WebhookWithSecret> {
    const response = await client.send('POST', '/api/webhooks', { json: { url, ...input } })
    expect(response.status, response.text).toBe(201)
    return response.body as WebhookWithSecret
  }

  test('the life of a share is told, signed, and about nobody else', async () => {
    const { id: shareId } = await publishShare(owner, { 'a.txt': 'hello' })
    const { headers, raw, body } = await hear('share.completed', { shareId })
    const named = Object.entries(headers).map(([name, value]) => [name, String(value)])
    const signed = Object.fromEntries(named) as Record<string, string>
    expect(new Verifier(secret).verify(raw, signed)).toEqual(body)

    const visitor = createClient(floe.url)
    await openShare(visitor, shareId)
    await hear('share.opened', { shareId })
    await readFiles(visitor, shareId)
    await hear('share.downloaded', { shareId })

    await publishShare(admin, { 'b.txt': 'of somebody else' })
    expect((await owner.send('DELETE', `/api/shares/${shareId}`)).status).toBe(200)
    await hear('share.deleted', { shareId })
    expect(new Set(receiver.told.map((one) => one.body.data['shareId']))).toEqual(
      new Set([shareId]),
    )
  })

  test('what is sent through a request is told to who asked for it', async () => {
    const token = await createReverseShare(owner)
    const sender = openSender(floe, token)
    const shareId = await beginSending(sender, { 'd.txt': 'for you' })
    expect((await complete(sender, shareId)).status).toBe(202)
    await hear('request.received', { shareId, requestToken: token })
  })

  test('administrators are told of accounts', async () => {
    const input = { scope: 'instance', events: ['user.created', 'user.deleted'] }
    const { id } = await create(admin, input)
    // A token for webhooks gives nobody more than the own shares, whatever else it may.
    const { token } = await makeToken(admin, { scopes: tokenScopes })
    const script = createScript(floe.url, token)
    const refused = await script.send('POST', '/api/webhooks', { json: { url, ...input } })
    expect(refused.status).toBe(403)
    for (const [method, path] of [
      ['PATCH', `/api/webhooks/${id}`],
      ['POST', `/api/webhooks/${id}/rotate`],
      ['GET', `/api/webhooks/${id}/deliveries`],
    ] as const) {
      const { status } = await script.send(method, path, {
        ...(method === 'PATCH' && { json: { url } }),
      })
      expect(status, path).toBe(403)
    }
    expect((await script.send('GET', '/api/webhooks')).body).toMatchObject([{ scope: 'instance' }])
    const account = newAccount()
    const guest = await signUp(floe, account)
    await hear('user.created', { username: account.username })
    const json = { password: account.password }
    expect((await guest.send('DELETE', '/api/users/me', { json })).status).toBe(200)
    await hear('user.deleted', { username: account.username })
  })

  test('a kill between the event and its message loses neither', async () => {
    const closed = new Promise((resolve) => receiver.server.close(resolve))
    receiver.server.closeAllConnections()
    await closed
    const { id: shareId } = await publishShare(owner, { 'c.txt': 'later' })
    const list = (await owner.send('GET', '/api/webhooks')).body as { id: string }[]
    const deliveries = `/api/webhooks/${list[0]?.id}/deliveries`
    const attempts = async () =>
      ((await owner.send('GET', deliveries)).body as { attempts: number; request: string }[]).find(
        ({ request }) => request.includes(shareId),
      )?.attempts
    await expect.poll(attempts, { timeout: 30_000 }).toBeGreaterThan(0)
    await floe.kill()
    // Before anybody tries again: the attempt after that is minutes away.
    const { port } = new URL(url)
    await new Promise<void>((resolve) => receiver.server.listen(Number(port), '127.0.0.1', resolve))
    await floe.restart()
    await hear('share.completed', { shareId })
  })
})
