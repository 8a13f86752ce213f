import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { type RunningFloe, type SmtpCatcher, startFloe, startSmtpCatcher } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Account, newAccount, signIn, signUp } from '../world/accounts.ts'
import { ownArrangements } from '../world/arrangements.ts'
import { type HttpResponse, type Client, createClient } from '../world/http-client.ts'
import { readPasswordToken, sendMailsTo } from '../world/mail.ts'

/** Each message is tried this often before the server comes back: the pauses reach eight seconds. */
const attemptsEach = 4

// A Floe of its own: it is restarted in the middle, and nobody else may send mails meanwhile.
describe.each(ownArrangements)('while the mail server is away, %s', (arrangement) => {
  let floe: RunningFloe
  let catcher: SmtpCatcher
  let admin: Client
  const adminAccount = newAccount()

  beforeAll(async () => {
    catcher = await startSmtpCatcher()
    floe = await startFloe({ arrangement })
    admin = await signUp(floe, adminAccount)
    await sendMailsTo(catcher, admin)
  })
  afterAll(async () => {
    await floe?.stop()
    await catcher?.stop()
  })

  test('no request fails or waits, and every message arrives once when it is back', async () => {
    const forgetful = [newAccount(), newAccount(), newAccount()]
    for (const account of forgetful) await signUp(floe, account)
    const invited = [newAccount(), newAccount()]
    const due = [...forgetful, ...invited].map(({ email }) => email)

    await catcher.stop()
    const deadServer = await startDeadServer(catcher.port)
    const durationsMs = await Promise.all([
      ...forgetful.map((account) => timed(202, () => requestReset(account))),
      ...invited.map((account) => timed(201, () => invite(account))),
    ])
    process.stdout.write(
      `  mail: the slowest of five requests took ${Math.max(...durationsMs).toFixed(0)} ms, ${arrangement}\n`,
    )
    await vi.waitUntil(() => deadServer.connections >= due.length, { timeout: 30_000 })
    await floe.restart()
    await vi.waitUntil(() => deadServer.connections >= due.length * attemptsEach, {
      timeout: 60_000,
    })
    await deadServer.close()
    await catcher.start()

    const before = catcher.messages.length
    for (const to of due) await catcher.waitForMessages(1, { to, timeoutMs: 60_000 })
    // Whatever else was on its way would have come before a message that is asked for now.
    await sendMailsTo(catcher, await signIn(floe.url, adminAccount))
    const arrived = catcher.messages.slice(before)
    const receivers = arrived.flatMap(({ to }) => to).filter((to) => due.includes(to))
    expect(receivers.sort()).toEqual([...due].sort())

    for (const { email } of [...forgetful, ...invited]) {
      const password = 'chosen at last'
      const token = await readPasswordToken(catcher, email)
      const set = await createClient(floe.url).send('POST', '/api/auth/resetPassword', {
        json: { token, password },
      })
      // A first password signs in.
      expect(set.status, set.text).toBe(invited.some((one) => one.email === email) ? 200 : 204)
      await signIn(floe.url, { email, password })
    }
  })

  test('a message that is refused holds up no other', async () => {
    const [refused, other] = [newAccount(), newAccount()]
    for (const account of [refused, other]) await signUp(floe, account)
    catcher.refuse('for good')
    expect((await requestReset(refused)).status).toBe(202)
    await vi.waitUntil(() => catcher.refusals > 0, { timeout: 15_000 })
    catcher.refuse(null)
    expect((await requestReset(other)).status).toBe(202)
    await catcher.waitForMessages(1, { to: other.email })
    expect(catcher.messages.filter(({ to }) => to.includes(refused.email))).toEqual([])
  })

  function requestReset({ email }: Account): Promise<HttpResponse> {
    return createClient(floe.url).send('POST', `/api/auth/resetPassword/${email}`)
  }

  function invite({ email, username }: Account): Promise<HttpResponse> {
    return admin.send('POST', '/api/users', { json: { email, username } })
  }
})

async function timed(status: number, ask: () => Promise<HttpResponse>): Promise<number> {
  const startedAt = performance.now()
  const response = await ask()
  expect(response.status, response.text).toBe(status)
  return performance.now() - startedAt
}

/** Takes every connection and ends it at once, like a server that is going down. */
async function startDeadServer(port: number) {
  let connections = 0
  const server: Server = createServer((socket) => {
    connections += 1
    socket.on('error', () => undefined)
    socket.destroy()
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    get connections() {
      return connections
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
