// @vitest-environment jsdom
import type { AuditEntry } from '@floe/contracts'
import { within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { type ApiRequest, type Handlers, ok, refuse } from '../../../testing/api-server.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { sampleAuditEntry } from '../../../testing/samples.ts'
import { Page as AuditPage } from '../pages/AuditPage.tsx'

const LOG = 'GET /api/admin/audit'
const of = (entries: AuditEntry[], total = entries.length) =>
  ok(entries, { 'X-Total-Count': String(total) })

/** Opens the log and keeps what it asks the server for. */
async function open(search = '', respond = of([sampleAuditEntry()])) {
  const asked: Record<string, string>[] = []
  const api: Handlers = {
    [LOG](request: ApiRequest) {
      asked.push(Object.fromEntries(request.search))
      return respond(request)
    },
  }
  const at = `/admin/audit${search}`
  const page = await renderPage(<AuditPage />, { at, path: '/admin/audit', api })
  return { page, asked }
}

describe('the audit log', () => {
  it('tells who did what to what, from where', async () => {
    const { page } = await open()
    const row = within(await page.findByRole('row', { name: /fjord/ }))
    expect(row.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual([
      "Another user's share deleted",
      '=1+1 (fjord)',
      'admin',
      '127.0.0.1',
      expect.stringMatching(/2026/),
    ])
  })

  it('tells details in words, and what it does not know by its code', async () => {
    const entries = [
      sampleAuditEntry({ action: 'share.edited', details: { fields: 'name expiration' } }),
      sampleAuditEntry({ action: 'moon.landed', details: { by: 'eagle' } }),
    ]
    const { page } = await open('', of(entries))
    await page.findByText('name, expiry')
    expect(page.getByText('moon.landed')).toBeTruthy()
    expect(page.getByText('eagle')).toBeTruthy()
  })

  it('tells what was done without an account', async () => {
    const actor = { id: null, name: null, address: '10.0.0.1', userAgent: '' }
    const { page } = await open('', of([sampleAuditEntry({ actor })]))
    await page.findByText('Unknown')
  })

  it('keeps in the address what it is narrowed down by, and asks for it', async () => {
    const { page, asked } = await open()
    await page.findByRole('row', { name: /fjord/ })
    await page.fill('User', 'mona')
    await page.user.selectOptions(page.getByLabelText('Action'), 'Account registered')
    await expect
      .poll(() => asked.at(-1))
      .toMatchObject({ actor: 'mona', action: 'user.registered' })
    expect(page.location()).toBe('/admin/audit?actor=mona&action=user.registered')
  })

  it('is narrowed down as the address says', async () => {
    const { page, asked } = await open('?target=fjord&to=2020-01-01', of([]))
    await page.findByText('Nothing matches your search.')
    expect(page.field('Target')).toHaveProperty('value', 'fjord')
    expect(asked).toEqual([expect.objectContaining({ target: 'fjord', offset: '0' })])
  })

  it('turns its pages, and begins with the first one when it is narrowed down', async () => {
    const { page, asked } = await open('', of([sampleAuditEntry()], 60))
    await page.user.click(await page.findByRole('button', { name: 'Page 2' }))
    await expect.poll(() => asked.at(-1)?.['offset']).not.toBe('0')
    expect(page.location()).toBe('/admin/audit?page=2')
    await page.fill('User', 'mona')
    await expect.poll(() => asked.at(-1)).toMatchObject({ actor: 'mona', offset: '0' })
  })

  it('can be tried again after an outage, and leads back', async () => {
    const { page } = await open('', refuse(500, 'internal'))
    const again = await page.findByRole('button', { name: 'Try again' })
    page.api.handle({ [LOG]: of([sampleAuditEntry()]) })
    await page.user.click(again)
    await page.findByRole('row', { name: /fjord/ })
    const back = page.getByRole('link', { name: 'Back to administration' })
    expect(back.getAttribute('href')).toBe('/admin')
  })
})
