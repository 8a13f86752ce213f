// @vitest-environment jsdom
import type { ShareActivity } from '@floe/contracts'
import { expect, it } from 'vitest'
import { ok } from '../../testing/api-server.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { sampleUser } from '../../testing/samples.ts'
import { Page as ShareActivityPage } from './pages/ShareActivityPage.tsx'

const seen: ShareActivity = {
  id: 'holiday',
  name: 'Holiday',
  createdAt: new Date(Date.now() - 3_600_000).toISOString(),
  views: { total: 1, hours: [] },
  downloads: { total: 2, hours: [] },
  archive: { total: 0, lastDownloadedAt: null },
  files: [
    {
      ...{ id: '01981f6e-0000-7000-8000-000000000001', name: 'beach.jpg', size: '5' },
      ...{ total: 2, lastDownloadedAt: new Date().toISOString() },
    },
  ],
}
const unseen = { ...seen, views: { total: 0, hours: [] }, downloads: { total: 0, hours: [] } }

async function render(activity: ShareActivity) {
  const page = await renderPage(<ShareActivityPage />, {
    at: '/share/holiday/activity',
    path: '/share/:id/activity',
    user: sampleUser(),
    api: { 'GET /api/shares/holiday/receipts': ok(activity) },
  })
  await page.findByRole('heading', { name: 'Activity of Holiday' })
  return page
}

it('tells how often each file was downloaded', async () => {
  const page = await render(seen)
  expect(page.getByRole('row', { name: /beach\.jpg.* 2 / })).toBeTruthy()
})

it('lists no files of an encrypted share, whose names the server does not know', async () => {
  const page = await render({ ...seen, encrypted: true })
  expect(page.getByText(/^The names of the files are end-to-end encrypted/)).toBeTruthy()
  expect(page.queryByRole('table')).toBeNull()
})

it('offers the link of a share that nobody has opened', async () => {
  const page = await render(unseen)
  expect(page.getByDisplayValue(/\/s\/holiday$/)).toBeTruthy()
})

it('offers no link without the key of an encrypted share', async () => {
  const page = await render({ ...unseen, encrypted: true })
  expect(page.getByText('Nobody has opened this share yet')).toBeTruthy()
  expect(page.queryByDisplayValue(/\/s\/holiday$/)).toBeNull()
})
