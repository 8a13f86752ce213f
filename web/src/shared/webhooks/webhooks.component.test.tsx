// @vitest-environment jsdom
import type { Webhook, WebhookDelivery } from '@floe/contracts'
import { within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { done, type Handlers, ok, refuse } from '../../testing/api-server.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { sampleDelivery, sampleUser, sampleWebhook } from '../../testing/samples.ts'
import { WebhooksPanel } from './WebhooksPanel.tsx'

const host = 'hooks.example'
const { id } = sampleWebhook()
const path = `/api/webhooks/${id}`
const secret = `whsec_${'a'.repeat(32)}`

function render(webhooks: Webhook[], api: Handlers = {}, scope: Webhook['scope'] = 'own') {
  return renderPage(<WebhooksPanel scope={scope} />, {
    user: sampleUser({ isAdmin: scope === 'instance' }),
    api: { 'GET /api/webhooks': ok(webhooks), ...api },
  })
}

async function open(button: string, dialog: string, api: Handlers = {}, webhook = sampleWebhook()) {
  const page = await render([webhook], api)
  await page.user.click(await page.findByRole('button', { name: button }))
  return { page, dialog: within(await page.findByRole('dialog', { name: dialog })) }
}

describe('the list of webhooks', () => {
  it('tells where each leads, in which form, what about and whether it is on', async () => {
    const page = await render([sampleWebhook()])
    const row = within(await page.findByRole('listitem'))
    for (const told of [host, 'https://hooks.example/floe', 'Standard Webhooks', 'On']) {
      expect(row.getByText(told)).toBeTruthy()
    }
    for (const event of ['share.completed', 'request.received']) {
      expect(row.getByText(event)).toBeTruthy()
    }
  })

  it.each([
    ['owner', 'Off'],
    ['gone', 'Off: the address says it is no longer there'],
    ['failing', 'Off: nothing could be delivered for three days'],
  ] as const)('tells why one is off: %s', async (disabledReason, text) => {
    const disabledAt = '2026-05-01T10:00:00.000Z'
    const page = await render([sampleWebhook({ disabledAt, disabledReason })])
    expect(await page.findByText(text)).toBeTruthy()
  })

  it.each([
    ['own', 'mine.example', 'site.example'],
    ['instance', 'site.example', 'mine.example'],
  ] as const)('of the scope %s has none of the other', async (scope, shown, hidden) => {
    const other = '8d0f6f0e-3d0e-4c64-8a43-1f7a7a0d9b10'
    const page = await render(
      [
        sampleWebhook({ url: 'https://mine.example/' }),
        sampleWebhook({ id: other, url: 'https://site.example/', scope: 'instance' }),
      ],
      {},
      scope,
    )
    expect(await page.findByText(shown)).toBeTruthy()
    expect(page.queryByText(hidden)).toBeNull()
  })

  it('says when there is none, and what went wrong', async () => {
    const empty = await render([])
    expect(await empty.findByText('No webhooks yet')).toBeTruthy()
    const failed = await render([], { 'GET /api/webhooks': refuse(403, 'forbidden') })
    expect(await failed.findByText(/not allowed/)).toBeTruthy()
  })
})

describe('a new webhook', () => {
  async function openForm(api: Handlers = {}, scope: Webhook['scope'] = 'own') {
    const page = await render([], api, scope)
    await page.user.click(await page.findByRole('button', { name: 'New webhook' }))
    const dialog = within(await page.findByRole('dialog', { name: 'New webhook' }))
    const submit = () => page.user.click(dialog.getByRole('button', { name: 'New webhook' }))
    return { page, dialog, submit }
  }

  it('shows its secret once', async () => {
    const made = ok({ ...sampleWebhook(), secret })
    const { page, dialog, submit } = await openForm({ 'POST /api/webhooks': made })
    await page.fill('Address', ' https://hooks.example/floe ')
    await page.user.click(dialog.getByLabelText('an upload fails'))
    await submit()
    await page.findByRole('dialog', { name: 'The secret of your webhook' })
    expect(page.api.changes[0]?.body).toEqual({
      url: 'https://hooks.example/floe',
      format: 'standard',
      events: ['share.downloaded', 'request.received', 'upload.failed'],
      scope: 'own',
    })
    expect(page.field('Secret')).toHaveProperty('value', secret)
    await page.press('Done')
    expect(page.queryByDisplayValue(secret)).toBeNull()
  })

  it('of a service that checks no signature shows none', async () => {
    const made = ok({ ...sampleWebhook({ format: 'ntfy' }), secret })
    const { page, dialog, submit } = await openForm({ 'POST /api/webhooks': made })
    await page.fill('Address', 'https://ntfy.example/topic')
    await page.user.selectOptions(dialog.getByLabelText('Format'), 'ntfy')
    await submit()
    await page.findByText('Webhook created')
    expect(page.api.changes[0]?.body).toMatchObject({ format: 'ntfy' })
    expect(page.queryByDisplayValue(secret)).toBeNull()
  })

  it('needs an address of the web and an event', async () => {
    const { page, dialog, submit } = await openForm()
    await submit()
    expect(dialog.getByText('This field is required')).toBeTruthy()
    await page.fill('Address', 'ftp://hooks.example')
    for (const chosen of dialog.getAllByRole('checkbox', { checked: true })) {
      await page.user.click(chosen)
    }
    await submit()
    expect(dialog.getByText('Enter an address that begins with https:// or http://')).toBeTruthy()
    expect(dialog.getByText('Choose at least one')).toBeTruthy()
    expect(page.api.changes).toEqual([])
  })

  it('of one account is offered nothing of others', async () => {
    const { dialog } = await openForm()
    expect(dialog.queryByLabelText('an account is created')).toBeNull()
  })

  it('is told of the whole site where administrators make it', async () => {
    const made = ok({ ...sampleWebhook({ scope: 'instance' }), secret })
    const { page, dialog, submit } = await openForm({ 'POST /api/webhooks': made }, 'instance')
    await page.fill('Address', 'https://hooks.example/')
    await page.user.click(dialog.getByLabelText('an account is created'))
    await submit()
    await page.findByRole('dialog', { name: 'The secret of your webhook' })
    expect(page.api.changes[0]?.body).toMatchObject({
      scope: 'instance',
      events: expect.arrayContaining(['user.created']),
    })
  })

  it.each([
    [400, 'webhook_address', /Nothing can be sent to this address/],
    [409, 'too_many_webhooks', /too many webhooks/],
  ] as const)('says in the dialog that it was refused: %i %s', async (status, code, message) => {
    const { page, dialog, submit } = await openForm({ 'POST /api/webhooks': refuse(status, code) })
    await page.fill('Address', 'https://10.0.0.1/')
    await submit()
    expect((await dialog.findByRole('alert')).textContent).toMatch(message)
  })
})

describe('a webhook', () => {
  it('is changed, and turned on again', async () => {
    const off = sampleWebhook({ disabledAt: '2026-05-01T10:00:00.000Z', disabledReason: 'gone' })
    const api = { [`PATCH ${path}`]: ok(sampleWebhook()) }
    const { page, dialog } = await open(`Edit ${host}`, `Edit ${host}`, api, off)
    expect(page.field('Address')).toHaveProperty('value', off.url)
    await page.user.click(dialog.getByLabelText('Send messages'))
    page.api.handle({ 'GET /api/webhooks': ok([sampleWebhook()]) })
    await page.press('Save')
    await page.findByText('On')
    expect(page.api.changes).toEqual([
      {
        call: `PATCH ${path}`,
        body: { url: off.url, format: off.format, events: off.events, enabled: true },
      },
    ])
  })

  it('gets another secret, once that is confirmed', async () => {
    const api = { [`POST ${path}/rotate`]: ok({ ...sampleWebhook(), secret }) }
    const { page, dialog } = await open(`Edit ${host}`, `Edit ${host}`, api)
    await page.user.click(dialog.getByRole('button', { name: 'New secret' }))
    const question = within(await page.findByRole('dialog', { name: 'Replace the secret?' }))
    expect(page.api.changes).toEqual([])
    await page.user.click(question.getByRole('button', { name: 'New secret' }))
    expect(await page.findByDisplayValue(secret)).toBeTruthy()
  })

  it.each([
    ['deleted', done],
    ['deleted elsewhere meanwhile', refuse(404, 'webhook_not_found')],
  ])('is asked about, and gone once it was %s', async (_, outcome) => {
    const api = { [`DELETE ${path}`]: outcome }
    const { page, dialog } = await open(`Delete ${host}`, `Delete ${host}?`, api)
    expect(page.api.changes).toEqual([])
    page.api.handle({ 'GET /api/webhooks': ok([]) })
    await page.user.click(dialog.getByRole('button', { name: 'Delete' }))
    await page.findByText('No webhooks yet')
    expect(page.queryByRole('alert')).toBeNull()
  })

  it('is tried, with all that came of it', async () => {
    const tried = sampleDelivery({
      event: 'test',
      state: 'failed',
      lastAttempt: {
        at: '2026-05-01T10:00:01.000Z',
        milliseconds: 1234,
        status: 500,
        error: null,
        response: 'no space left',
      },
    })
    const api = { [`POST ${path}/test`]: ok(tried) }
    const { dialog } = await open(`Send a test message to ${host}`, `Log of ${host}`, api)
    for (const told of ['test', 'Failed', '500', '1,234 ms']) {
      expect(dialog.getByText(told)).toBeTruthy()
    }
    expect(dialog.getByLabelText('Response')).toHaveProperty('value', 'no space left')
  })
})

describe('the log of a webhook', () => {
  const log = (deliveries: WebhookDelivery[]) => ({ [`GET ${path}/deliveries`]: ok(deliveries) })
  const openLog = (deliveries: WebhookDelivery[], api: Handlers = {}) =>
    open(`Log of ${host}`, `Log of ${host}`, { ...log(deliveries), ...api })

  it('says when nothing was sent', async () => {
    const { dialog } = await openLog([])
    expect(await dialog.findByText('Nothing has been sent yet')).toBeTruthy()
  })

  it('tells what was sent, and opens one with its request, response and next attempt', async () => {
    const waiting = sampleDelivery({
      state: 'waiting',
      attempts: 3,
      nextAttemptAt: '2026-05-01T12:00:00.000Z',
      lastAttempt: {
        at: '2026-05-01T10:00:01.000Z',
        milliseconds: 10_000,
        status: null,
        error: 'timeout',
        response: '',
      },
    })
    const { page, dialog } = await openLog([waiting])
    await page.user.click(await dialog.findByRole('button', { name: /share\.completed/ }))
    for (const told of ['Waiting', 'timeout', '10,000 ms', '3', 'Next attempt']) {
      expect(dialog.getByText(told)).toBeTruthy()
    }
    expect(dialog.getByLabelText('Message')).toHaveProperty(
      'value',
      '{\n  "type": "share.completed"\n}',
    )
    expect(dialog.queryByLabelText('Response')).toBeNull()
    await page.user.click(dialog.getByRole('button', { name: 'Back to the log' }))
    expect(await dialog.findByRole('button', { name: /share\.completed/ })).toBeTruthy()
  })

  it('tells events by their names that only a newer server knows', async () => {
    const { dialog } = await openLog([sampleDelivery({ event: 'share.archived' })])
    expect(await dialog.findByText('share.archived')).toBeTruthy()
  })

  it('sends one again', async () => {
    const delivery = sampleDelivery()
    const call = `POST ${path}/deliveries/${delivery.id}/replay`
    const { page, dialog } = await openLog([delivery], { [call]: () => ({ status: 202 }) })
    await page.user.click(await dialog.findByRole('button', { name: /share\.completed/ }))
    await page.user.click(dialog.getByRole('button', { name: 'Send again' }))
    await page.findByText('The message will be sent again')
    expect(page.api.changes).toEqual([{ call, body: undefined }])
  })

  it('sends all again since a time', async () => {
    const call = `POST ${path}/replay`
    const { page, dialog } = await openLog([sampleDelivery()], { [call]: ok({ replayed: 7 }) })
    await dialog.findByRole('button', { name: /share\.completed/ })
    await page.fill('Send everything again since', '2026-05-01T09:30')
    await page.user.click(dialog.getByRole('button', { name: 'Send again' }))
    await page.findByText('Will be sent again: 7')
    expect(page.api.changes).toEqual([
      { call, body: { since: new Date('2026-05-01T09:30').toISOString() } },
    ])
  })

  it('says that a message is no longer in it', async () => {
    const delivery = sampleDelivery()
    const call = `POST ${path}/deliveries/${delivery.id}/replay`
    const gone = refuse(404, 'webhook_delivery_not_found')
    const { page, dialog } = await openLog([delivery], { [call]: gone })
    await page.user.click(await dialog.findByRole('button', { name: /share\.completed/ }))
    await page.user.click(dialog.getByRole('button', { name: 'Send again' }))
    await page.findByText('This message is no longer in the log.')
  })
})
