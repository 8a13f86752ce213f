// @vitest-environment jsdom
import { within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { done, type Handlers, ok, refuse } from '../../testing/api-server.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { sampleOwnShare, sampleUser } from '../../testing/samples.ts'
import { Page as MySharesPage } from './pages/MySharesPage.tsx'

const render = (api: Handlers) =>
  renderPage(<MySharesPage />, {
    at: '/account/shares',
    path: '/account/shares',
    user: sampleUser(),
    api,
  })

async function cellsOf(share: ReturnType<typeof sampleOwnShare>) {
  const page = await render({ 'GET /api/shares': ok([share]) })
  const [, row] = await page.findAllByRole('row')
  if (!row) throw new Error('no row')
  return Object.fromEntries(
    within(row)
      .getAllByRole('cell')
      .map((cell) => [cell.dataset['label'] ?? 'actions', cell.textContent]),
  )
}

it('leads to a first share where there is none', async () => {
  const page = await render({ 'GET /api/shares': ok([]) })
  await page.findByText('No shares yet')
  expect(page.getByRole('link', { name: 'Create one' }).getAttribute('href')).toBe('/upload')
  expect(page.queryByRole('table')).toBeNull()
})

it('says why the list cannot be shown, and fetches it again', async () => {
  const page = await render({ 'GET /api/shares': refuse(401, 'unauthorized') })
  await page.findByText('You are signed out. Sign in and try again.')
  page.api.handle({ 'GET /api/shares': ok([sampleOwnShare()]) })
  await page.press('Try again')
  await page.findByText('Holiday')
})

it('tells visitors, and how many there may be', async () => {
  const share = sampleOwnShare({
    views: 1_234,
    security: { passwordProtected: false, maxViews: 2_000 },
  })
  expect(await cellsOf(share)).toMatchObject({ Visitors: '1,234 of 2,000' })
})

it('tells visitors alone where there may be any number', async () => {
  expect(await cellsOf(sampleOwnShare({ views: 7 }))).toMatchObject({ Visitors: '7' })
})

it('tells how much of a share has arrived whose files are still uploaded', async () => {
  const coming = { fileCount: 3, size: 8_000, received: 3_000, files: [] }
  const share = sampleOwnShare({ state: 'uploading', coming })
  expect(await cellsOf(share)).toMatchObject({ ID: 'holiday1 of 4 files uploaded' })
})

it('tells that a share never expires', async () => {
  const never = new Date(0).toISOString()
  expect(await cellsOf(sampleOwnShare({ expiration: never }))).toMatchObject({
    'Expires at': 'Never',
  })
})

it('tells size and dates of a share', async () => {
  const share = sampleOwnShare({ size: 2_500_000, expiration: '2031-05-06T12:00:00.000Z' })
  expect(await cellsOf(share)).toMatchObject({
    ID: 'holiday',
    Name: 'Holiday',
    Size: expect.stringMatching(/^2\.5\sMB$/),
    'Expires at': expect.stringContaining('2031'),
    'Created at': expect.stringContaining('2026'),
  })
})

it.each([true, false])('marks a share with a password (%s)', async (passwordProtected) => {
  const share = sampleOwnShare({ security: { passwordProtected, maxViews: null } })
  const page = await render({ 'GET /api/shares': ok([share]) })
  await page.findByText('Holiday')
  expect(page.queryAllByLabelText('Protected by a password').length > 0).toBe(passwordProtected)
})

it('marks a share that not everybody with its link may open, at what it is called', async () => {
  const security = { passwordProtected: true, maxViews: null, restrictToRecipients: true as const }
  const share = sampleOwnShare({ security, encrypted: true })
  const page = await render({ 'GET /api/shares': ok([share]) })
  await page.findByText('Holiday')
  // At the link, and at the name that stands in its place on phones.
  const marks = page.getAllByRole('img', { name: 'For recipients only' })
  expect(marks.map((mark) => mark.querySelector('title')?.textContent)).toEqual([
    'For recipients only',
    'For recipients only',
  ])
  for (const name of ['Protected by a password', 'End-to-end encrypted'])
    expect(page.getAllByRole('img', { name })).toHaveLength(2)
})

it('says of a share whose files are being scanned that it opens afterwards', async () => {
  const page = await render({ 'GET /api/shares': ok([sampleOwnShare({ waitsForScan: true })]) })
  await page.findByText('Holiday')
  // At the link, and at the name that stands in its place on phones.
  expect(page.getAllByText('Opens after the virus scan')).toHaveLength(2)
})

it('marks nothing where anybody with the link may open it', async () => {
  const page = await render({ 'GET /api/shares': ok([sampleOwnShare()]) })
  await page.findByText('Holiday')
  expect(page.queryByRole('img')).toBeNull()
})

it('names each action by its share, and leads to its edit and its activity', async () => {
  const page = await render({ 'GET /api/shares': ok([sampleOwnShare({ name: null })]) })
  const edit = await page.findByRole('link', { name: 'Edit holiday' })
  expect(edit.getAttribute('href')).toBe('/share/holiday/edit')
  const [, row] = page.getAllByRole('row')
  if (!row) throw new Error('no row')
  const buttons = within(row).getAllByRole('button')
  expect(buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent)).toEqual([
    'Copy link',
    'Info about holiday',
    'Link to holiday',
    'Delete holiday',
  ])
})

describe('an expired share whose files are kept', () => {
  const keptUntil = '2031-05-06T12:00:00.000Z'
  const expired = { expiration: '2026-01-03T03:04:05.000Z', keptUntil }

  it('says until when, and leads to its edit instead of to nothing', async () => {
    expect(await cellsOf(sampleOwnShare(expired))).toMatchObject({
      'Expires at': expect.stringMatching(/^Expired, kept until .*2031/),
    })
    const page = await render({ 'GET /api/shares': ok([sampleOwnShare(expired)]) })
    const link = await page.findByRole('link', { name: 'Holiday' })
    expect(link.getAttribute('href')).toBe('/share/holiday/edit')
    expect(page.queryByRole('button', { name: 'Link to Holiday' })).toBeNull()
    expect(page.queryByRole('button', { name: 'Copy link' })).toBeNull()
  })

  it('opens again with the end that is chosen', async () => {
    const page = await render({
      'GET /api/shares': ok([sampleOwnShare(expired)]),
      'PATCH /api/shares/holiday': refuse(400, 'share_expiration_too_long'),
    })
    await page.user.click(await page.findByRole('button', { name: 'Revive Holiday' }))
    await page.findByRole('dialog', { name: 'Revive Holiday' })
    await page.fill('Expires in', '3')
    await page.press('Revive')
    await page.findByText('The expiration exceeds the maximum')
    page.api.handle({
      'GET /api/shares': ok([sampleOwnShare()]),
      'PATCH /api/shares/holiday': ok(sampleOwnShare()),
    })
    await page.press('Revive')
    await page.findByText('Share revived')
    await page.findByRole('button', { name: 'Copy link' })
    expect(page.queryByRole('dialog')).toBeNull()
    const change = { call: 'PATCH /api/shares/holiday', body: { expiration: '3-days' } }
    expect(page.api.changes).toEqual([change, change])
  })
})

it.each([
  ['who has the whole link', {}, /This link lacks its key/],
  [
    'the receiver of a reverse share alone',
    { reverseShare: { id: 'received', publicAccess: false } },
    'Encrypted: only the receiver can read it',
  ],
])('says that an encrypted share is read by %s', async (_, sent, note) => {
  const share = sampleOwnShare({ encrypted: true, ...sent })
  const page = await render({ 'GET /api/shares': ok([share]) })
  await page.user.click(await page.findByRole('button', { name: 'Link to Holiday' }))
  within(page.getByRole('dialog', { name: 'Share link' })).getByText(note)
})

it('shows the link of a share', async () => {
  const page = await render({ 'GET /api/shares': ok([sampleOwnShare()]) })
  await page.user.click(await page.findByRole('button', { name: 'Link to Holiday' }))
  const dialog = within(page.getByRole('dialog', { name: 'Share link' }))
  expect(dialog.getByDisplayValue(/\/s\/holiday$/)).toBeTruthy()
})

it('shows recipients and the part of the limit in use', async () => {
  const page = await render({
    'GET /api/shares': ok([sampleOwnShare({ recipients: ['a@x.example', 'b@x.example'] })]),
  })
  await page.user.click(await page.findByRole('button', { name: 'Info about Holiday' }))
  const dialog = within(page.getByRole('dialog', { name: 'Share info' }))
  expect(dialog.getByText(/a@x\.example\s+b@x\.example/)).toBeTruthy()
})

it('deletes nothing before it was confirmed', async () => {
  const page = await render({ 'GET /api/shares': ok([sampleOwnShare()]) })
  await page.user.click(await page.findByRole('button', { name: 'Delete Holiday' }))
  expect(page.getByText(/deleted for good\. Its link stops working\./)).toBeTruthy()
  await page.press('Cancel')
  expect(page.queryByRole('dialog')).toBeNull()
  expect(page.api.changes).toEqual([])
})

it.each([
  ['deleted', done],
  ['deleted elsewhere meanwhile', refuse(404, 'share_not_found')],
])('takes a share off the list that was %s, and goes on from the heading', async (_, outcome) => {
  const page = await render({ 'GET /api/shares': ok([sampleOwnShare()]) })
  await page.user.click(await page.findByRole('button', { name: 'Delete Holiday' }))
  page.api.handle({ 'GET /api/shares': ok([]), 'DELETE /api/shares/holiday': outcome })
  await page.press('Delete')
  await page.findByText('Share deleted')
  await page.findByText('No shares yet')
  expect(page.api.changes).toEqual([{ call: 'DELETE /api/shares/holiday', body: undefined }])
  const heading = page.getByRole('heading', { name: 'My shares' })
  await expect.poll(() => document.activeElement).toBe(heading)
})

it('keeps the question open when the server refuses', async () => {
  const page = await render({
    'GET /api/shares': ok([sampleOwnShare()]),
    'DELETE /api/shares/holiday': refuse(403, 'forbidden'),
  })
  await page.user.click(await page.findByRole('button', { name: 'Delete Holiday' }))
  await page.press('Delete')
  await page.findByText('You are not allowed to do this')
  expect(page.getByRole('dialog', { name: 'Delete Holiday?' })).toBeTruthy()
})

const three = ok([
  sampleOwnShare({ id: 'one', name: 'Fjord', createdAt: '2026-01-03T00:00:00.000Z' }),
  sampleOwnShare({ id: 'two', name: 'Town', createdAt: '2026-01-02T00:00:00.000Z' }),
  sampleOwnShare({ id: 'three', name: 'Harbour', createdAt: '2026-01-01T00:00:00.000Z' }),
])
type Rendered = Awaited<ReturnType<typeof render>>
const namesIn = (page: Rendered) =>
  page
    .queryAllByRole('row')
    .slice(1)
    .map((row) => row.querySelector('[data-label="Name"]')?.textContent)

it('shows the latest first, sorts by a column and keeps that in the address', async () => {
  const page = await render({ 'GET /api/shares': three })
  await page.findByText('Fjord')
  expect(namesIn(page)).toEqual(['Fjord', 'Town', 'Harbour'])
  await page.press('Name')
  expect(namesIn(page)).toEqual(['Fjord', 'Harbour', 'Town'])
  expect(page.location()).toBe('/account/shares?sort=name&order=asc')
})

it('finds shares, and says where there is none', async () => {
  const page = await render({ 'GET /api/shares': three })
  await page.findByText('Fjord')
  await page.fill('Search by link, name or description', 'town')
  expect(namesIn(page)).toEqual(['Town'])
  await page.fill('Search by link, name or description', 'city')
  await page.findByText('Nothing matches your search.')
})

it('deletes several at once, and none that the search hides', async () => {
  const page = await render({ 'GET /api/shares': three })
  await page.findByText('Fjord')
  await page.user.click(page.getByLabelText('Choose all on this page'))
  await page.fill('Search by link, name or description', 'o')
  await page.press('Delete 3 shares')
  await page.press('Cancel')
  await page.fill('Search by link, name or description', 'r')
  await page.press('Delete 2 shares')
  page.api.handle({
    'DELETE /api/shares/one': done,
    'DELETE /api/shares/three': done,
    'GET /api/shares': ok([sampleOwnShare({ id: 'two', name: 'Town' })]),
  })
  await page.press('Delete')
  await page.findByText('2 shares deleted')
  const calls = page.api.changes.map(({ call }) => call).toSorted()
  expect(calls).toEqual(['DELETE /api/shares/one', 'DELETE /api/shares/three'])
  const heading = page.getByRole('heading', { name: 'My shares' })
  await expect.poll(() => document.activeElement).toBe(heading)
})

it('shows fifty shares a page, however many there are, and begins anew with what is found', async () => {
  const shares = Array.from({ length: 120 }, (_, index) =>
    sampleOwnShare({
      id: `id-${index}`,
      name: `Share ${index}`,
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, -index)).toISOString(),
    }),
  )
  const page = await render({ 'GET /api/shares': ok(shares) })
  await page.findByText('Share 0')
  expect(namesIn(page)).toHaveLength(50)
  await page.press('Page 3')
  expect(namesIn(page)).toEqual(shares.slice(100).map(({ name }) => name))
  expect(page.location()).toBe('/account/shares?page=3')
  page.getByText('101–120 of 120')
  await page.fill('Search by link, name or description', 'share 11')
  expect(namesIn(page)).toEqual(shares.filter(({ id }) => /-11/.test(id)).map(({ name }) => name))
  expect(page.queryByRole('navigation', { name: 'Pages' })).toBeNull()
})
