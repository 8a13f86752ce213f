import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBarriers } from '../harness/barriers.ts'
import type { Member } from '../harness/journey.ts'
import { pairwiseLooks } from '../harness/looks.ts'
import { makeShare } from '../harness/shares.ts'
import { useOwnFloe } from '../harness/use-journey.ts'

interface Told {
  headers: Record<string, string>
  raw: string
}

// The receiver is on this very machine, where no other Floe may send to.
const journey = useOwnFloe({ environment: { WEBHOOK_NETWORKS: '127.0.0.0/8' } })
const looks = pairwiseLooks.ltr
const told: Told[] = []
let status = 204
let receiver: Server
let host: string
let member: Member

beforeAll(async () => {
  receiver = createServer(async (req, res) => {
    const named = Object.entries(req.headers).map(([name, value]) => [name, String(value)])
    told.push({
      headers: Object.fromEntries(named) as Record<string, string>,
      raw: await text(req),
    })
    res.writeHead(status).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
  member = await journey.visitAsMember()
})
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})

const section = () => member.page.getByRole('region', { name: 'Webhooks' })
const dialog = (name: string) => member.page.getByRole('dialog', { name })

test('a webhook is made in the page, and its receiver verifies what it is told', async () => {
  const { page, context } = member
  await page.goto('/account')
  await section().getByRole('button', { name: 'New webhook' }).click()
  const form = dialog('New webhook')
  await form.getByLabel('Address').fill(`http://${host}/hook`)
  await form.getByLabel('a share is ready').check()
  expect(await findBarriers(page, 'form of a webhook', { looks })).toEqual([])
  await form.getByRole('button', { name: 'New webhook' }).click()
  const made = dialog('The secret of your webhook')
  const secret = await made.getByLabel('Secret', { exact: true }).inputValue()
  await made.getByRole('button', { name: 'Done' }).click()
  expect(await page.content()).not.toContain(secret)
  await section().getByText('share.completed').waitFor()

  const id = await makeShare(context.request, { name: 'Choir', files: { 'kyrie.txt': 'Kyrie' } })
  await expect.poll(() => told.length, { timeout: 30_000 }).toBe(1)
  const [{ raw, headers } = { raw: '', headers: {} }] = told
  expect(new Verifier(secret).verify(raw, headers)).toMatchObject({
    type: 'share.completed',
    data: { shareId: id, name: 'Choir' },
  })
})

test('a test tells how it went, and the log has what was sent and can send it again', async () => {
  status = 503
  const { page } = member
  await section()
    .getByRole('button', { name: `Send a test message to ${host}` })
    .click()
  const log = dialog(`Log of ${host}`)
  await log.getByText('503').waitFor()
  expect(await findBarriers(page, 'delivery of a webhook', { looks })).toEqual([])
  await log.getByRole('button', { name: 'Back to the log' }).click()
  expect(await findBarriers(page, 'log of a webhook', { looks })).toEqual([])
  status = 204
  const before = told.length
  await log.getByRole('button', { name: /share\.completed/ }).click()
  await log.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => told.length, { timeout: 30_000 }).toBe(before + 1)
  expect(told.at(-1)?.headers['webhook-id']).toBe(told[0]?.headers['webhook-id'])
  await page.keyboard.press('Escape')
})

test('an address inside is refused in the form, and a webhook is deleted with its log', async () => {
  const { page } = member
  journey.problems.expectRefusals({ path: /^\/api\/webhooks/, status: 400 })
  await page.goto('/account')
  await section().getByRole('button', { name: 'New webhook' }).click()
  const form = dialog('New webhook')
  await form.getByLabel('Address').fill('http://169.254.169.254/latest')
  await form.getByRole('button', { name: 'New webhook' }).click()
  await form.getByRole('alert').waitFor()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await section()
    .getByRole('button', { name: `Delete ${host}` })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await section().getByText('No webhooks yet').waitFor()
})

test('administrators make one of the whole site', async () => {
  const { page } = await journey.visitAsAdministrator()
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('button', { name: 'New webhook' }).click()
  const form = page.getByRole('dialog', { name: 'New webhook' })
  await form.getByLabel('Address').fill(`http://${host}/site`)
  await form.getByLabel('an account is created').check()
  await form.getByRole('button', { name: 'New webhook' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('user.created').waitFor()
  const newcomer = await journey.visitAsMember()
  const isTold = () => told.some(({ raw }) => raw.includes(newcomer.person.username))
  await expect.poll(isTold, { timeout: 30_000 }).toBe(true)
})
