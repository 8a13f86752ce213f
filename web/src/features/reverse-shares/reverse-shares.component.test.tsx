// @vitest-environment jsdom
import { within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { done, type Handlers, ok, refuse } from '../../testing/api-server.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { sampleReceivedShare, sampleReverseShare, sampleUser } from '../../testing/samples.ts'
import { Page as ReverseSharesPage } from './pages/ReverseSharesPage.tsx'

const LIST = 'GET /api/reverseShares'

const render = (api: Handlers, settings = {}, at = '/') =>
  renderPage(<ReverseSharesPage />, { user: sampleUser(), api, settings, at })

describe('the list', () => {
  it('leads to a first link where there is none', async () => {
    const page = await render({ [LIST]: ok([]) })
    await page.findByText('No reverse shares yet')
    await page.press('Create one')
    expect(page.getByRole('dialog', { name: 'Create reverse share' })).toBeTruthy()
  })

  it('marks a link without uses left', async () => {
    const page = await render({ [LIST]: ok([sampleReverseShare({ remainingUses: 0 })]) })
    await page.findByText('Used up')
  })

  it('calls a link without a name by its end', async () => {
    const page = await render({ [LIST]: ok([sampleReverseShare({ name: null })]) })
    await page.findByText('send-here')
    expect(page.getByRole('button', { name: 'Edit send-here' })).toBeTruthy()
  })

  it('unfolds what came, and from whom', async () => {
    const shares = [
      sampleReceivedShare({ id: 'one', name: 'One', creator: { username: 'nils' } }),
      sampleReceivedShare({ id: 'two', name: 'Two', senderName: 'Olga' }),
      sampleReceivedShare({ id: 'three', name: 'Three', waitsForScan: true }),
    ]
    const page = await render({ [LIST]: ok([sampleReverseShare({ shares })]) })
    const fold = await page.findByRole('button', { name: '3 shares' })
    expect(fold.getAttribute('aria-expanded')).toBe('false')
    await page.user.click(fold)
    expect(page.getByText(/From nils/)).toBeTruthy()
    expect(page.getByText(/From Olga, without an account/)).toBeTruthy()
    expect(page.getByText(/From someone without an account/)).toBeTruthy()
    const waiting = page.getByText('Opens after the virus scan').closest('li')
    expect(waiting?.textContent).toContain('Three')
  })
})

describe('reverse shares that an administrator switched off', () => {
  const off = { 'share.reverseShares': 'off' }

  it('are made no more, by the address neither, and what came stays', async () => {
    const page = await render({ [LIST]: ok([sampleReverseShare()]) }, off, '/?create')
    await page.findByText('Contracts')
    expect(page.getByRole('alert').textContent).toContain('Reverse shares are switched off')
    expect(page.queryByRole('button', { name: 'Create' })).toBeNull()
    expect(page.queryByRole('dialog')).toBeNull()
  })
})

describe('the address of the page', () => {
  const api = { [LIST]: ok([sampleReverseShare()]) }

  it('opens the dialog for a new link, until it is closed', async () => {
    const page = await render(api, {}, '/?create')
    await page.findByRole('dialog', { name: 'Create reverse share' })
    await page.user.keyboard('{Escape}')
    await expect.poll(() => page.queryByRole('dialog')).toBeNull()
    expect(page.location()).toBe('/')
  })

  it('opens the dialog of a link', async () => {
    const page = await render(api, {}, '/?link=send-here')
    const dialog = await page.findByRole('dialog', { name: 'Your link to receive files' })
    expect(within(dialog).getByDisplayValue(/\/upload\/send-here$/)).toBeTruthy()
    await page.press('Done')
    expect(page.location()).toBe('/')
  })

  it('shows nobody else’s link as the own one', async () => {
    const page = await render(api, {}, '/?link=of-somebody-else')
    await page.findByText('Contracts')
    expect(page.queryByRole('dialog')).toBeNull()
  })
})

describe('a new link', () => {
  async function open(api: Handlers = {}, settings = {}) {
    const page = await render({ [LIST]: ok([]), ...api }, settings)
    await page.user.click(await page.findByRole('button', { name: 'Create one' }))
    return page
  }

  it('shows the address as far as it is known before its end is', async () => {
    const page = await open()
    await page.press('More options')
    expect(page.getByText(/\/upload\/…$/)).toBeTruthy()
    await page.fill('Link', 'send-here')
    expect(page.getByText(/\/upload\/send-here$/)).toBeTruthy()
  })

  it.each([
    ['Maximum share size', '0', 'Must be greater than 0'],
    ['Maximum share size', '', 'Must be a number'],
    ['Maximum uses', '', 'Must be a number'],
  ])('says why %s cannot be %j', async (label, text, message) => {
    const page = await open()
    await page.fill(label, text)
    await page.press('Create')
    expect(page.getByText(message)).toBeTruthy()
    expect(page.api.changes).toEqual([])
  })

  it.each([
    ['0', '1'],
    ['1001', '1000'],
  ])('has %s uses brought to %s, which is allowed', async (typed, kept) => {
    const page = await open()
    await page.fill('Maximum uses', typed)
    await page.user.tab()
    expect(page.field('Maximum uses')).toHaveProperty('value', kept)
  })

  it('holds no more than a share may', async () => {
    const page = await open({}, { 'share.maxSize': 50_000_000 })
    expect(page.field('Maximum share size')).toHaveProperty('value', '50')
    await page.fill('Maximum share size', '51')
    await page.press('Create')
    expect(page.getByText('A share can have at most 50 MB')).toBeTruthy()
    expect(page.api.changes).toEqual([])
  })

  it('is made with what was chosen, and shown to be passed on', async () => {
    const page = await open({
      'POST /api/reverseShares': ok({ token: 'send-here', link: 'http://x/upload/send-here' }),
    })
    await page.fill('Maximum share size', '50')
    await page.user.selectOptions(page.getByLabelText('Size unit'), 'MB')
    await page.fill('Maximum uses', '2')
    await page.press('More options')
    await page.fill('Name', 'Contracts')
    await page.fill('Password', 'sesame')
    await page.user.click(page.getByRole('switch', { name: /^Ask the sender for a name/ }))
    await page.press('Create')
    await page.findByRole('dialog', { name: 'Your link to receive files' })
    expect(page.getByDisplayValue(/\/upload\/send-here$/)).toBeTruthy()
    const [change] = page.api.changes
    expect(change?.body).toMatchObject({
      maxShareSize: '50000000',
      maxUseCount: 2,
      name: 'Contracts',
      password: 'sesame',
      askSenderName: true,
      publicAccess: true,
    })
  })

  it('that somebody else has is refused at its field', async () => {
    const page = await open({
      'POST /api/reverseShares': refuse(409, 'reverse_share_token_taken'),
      'GET /api/reverseShares/isReverseShareTokenAvailable/taken': ok({ isAvailable: false }),
    })
    await page.press('More options')
    await page.fill('Link', 'taken')
    await page.press('Create')
    await page.findByText('This link is already in use')
    expect(page.field('Link').getAttribute('aria-invalid')).toBe('true')
  })

  it('that has to be encrypted where the browser cannot names what can', async () => {
    const page = await open({ 'POST /api/reverseShares': refuse(403, 'encryption_required') })
    await page.press('Create')
    await page.findByText(/at an address that begins with https/)
  })

  it('offers mails only where the server sends some', async () => {
    const page = await open({}, { 'smtp.enabled': false })
    expect(page.queryByLabelText('Email me when files arrive')).toBeNull()
  })
})

describe('a changed link', () => {
  async function open(reverseShare = sampleReverseShare(), api: Handlers = {}) {
    const page = await render({ [LIST]: ok([reverseShare]), ...api })
    await page.user.click(await page.findByRole('button', { name: 'Edit Contracts' }))
    return page
  }

  it('cannot be saved before anything differs', async () => {
    const page = await open()
    expect(page.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
  })

  it('sends what differs, and nothing else', async () => {
    const page = await open(undefined, { 'PATCH /api/reverseShares/reverse': done })
    await page.fill('Remaining uses', '5')
    await page.press('Save')
    await page.findByText('Reverse share updated')
    expect(page.api.changes).toEqual([
      { call: 'PATCH /api/reverseShares/reverse', body: { remainingUses: 5 } },
    ])
  })

  it('may have no uses left', async () => {
    const page = await open(undefined, { 'PATCH /api/reverseShares/reverse': done })
    await page.fill('Remaining uses', '0')
    await page.press('Save')
    await page.findByText('Reverse share updated')
  })

  it('loses its password when that is asked for', async () => {
    const page = await open(sampleReverseShare({ hasPassword: true }), {
      'PATCH /api/reverseShares/reverse': done,
    })
    await page.press('More options')
    await page.user.click(page.getByLabelText('Remove the password'))
    expect(page.field('New password')).toHaveProperty('disabled', true)
    await page.press('Save')
    await page.findByText('Reverse share updated')
    expect(page.api.changes[0]?.body).toEqual({ password: null })
  })
})

describe('a link that expired and keeps what it brought', () => {
  const shares = [
    sampleReceivedShare({ id: 'one', name: 'One', keptUntil: '2031-05-06T12:00:00.000Z' }),
  ]
  const expired = sampleReverseShare({ shareExpiration: '2026-01-03T03:04:05.000Z', shares })

  it('says until when, and offers of that nothing but to delete it', async () => {
    const page = await render({ [LIST]: ok([expired]) })
    await page.findByText(/^Expired, kept until .*2031/)
    expect(page.queryByRole('button', { name: 'Link to Contracts' })).toBeNull()
    await page.user.click(page.getByRole('button', { name: '1 share' }))
    const list = within(page.getByRole('list', { name: /Contracts/ }))
    const names = list.getAllByRole('button').map((button) => button.getAttribute('aria-label'))
    expect(names).toEqual(['Delete One'])
    expect(list.queryByRole('link')).toBeNull()
  })

  it('opens again with a new end', async () => {
    const change = 'PATCH /api/reverseShares/reverse'
    const page = await render({ [LIST]: ok([expired]), [change]: ok(sampleReverseShare()) })
    await page.user.click(await page.findByRole('button', { name: 'Revive Contracts' }))
    await page.fill('Expires in', '3')
    await page.press('Save')
    await vi.waitFor(() =>
      expect(page.api.changes).toEqual([{ call: change, body: { shareExpiration: '3-days' } }]),
    )
  })
})

describe('a deleted link', () => {
  it.each([
    [[], 'The link stops working.'],
    [
      [sampleReceivedShare()],
      'This also deletes 1 received share and its files. The link stops working.',
    ],
  ])('says first what goes with it', async (shares, text) => {
    const page = await render({ [LIST]: ok([sampleReverseShare({ shares })]) })
    await page.user.click(await page.findByRole('button', { name: 'Delete Contracts' }))
    const dialog = within(page.getByRole('dialog', { name: 'Delete Contracts?' }))
    expect(dialog.getByText(text)).toBeTruthy()
    expect(page.api.changes).toEqual([])
  })

  it('leaves the list', async () => {
    const page = await render({ [LIST]: ok([sampleReverseShare()]) })
    await page.user.click(await page.findByRole('button', { name: 'Delete Contracts' }))
    page.api.handle({ [LIST]: ok([]), 'DELETE /api/reverseShares/reverse': done })
    await page.press('Delete')
    await page.findByText('Reverse share deleted')
    await page.findByText('No reverse shares yet')
  })
})
