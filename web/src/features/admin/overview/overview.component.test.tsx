// @vitest-environment jsdom
import type { Overview } from '@floe/contracts'
import { within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { done, type Handlers, ok, refuse } from '../../../testing/api-server.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { sampleAuditEntry } from '../../../testing/samples.ts'
import { OverviewSection } from './OverviewSection.tsx'

const OVERVIEW = 'GET /api/admin/overview'
const failedJob = {
  id: 'send-email-7',
  name: 'send-email',
  reason: 'No such mailbox here',
  attempts: 5,
  failedAt: '2026-05-01T10:00:00.000Z',
}
const counts = { name: 'send-email', waiting: 3, active: 0, delayed: 0, failed: 1 }

const overview = (changes: Partial<Overview> = {}): Overview => ({
  now: { storageBytes: 3_000_000, shares: 12, users: 2 },
  days: [],
  jobs: { counts: [counts], failed: [failedJob] },
  audit: [sampleAuditEntry({ action: 'setting.changed' })],
  ...changes,
})

const open = (api: Handlers) => renderPage(<OverviewSection />, { api })

describe('the overview', () => {
  it('tells how much there is, and how it came to that', async () => {
    const page = await open({ [OVERVIEW]: ok(overview()) })
    await page.findByText('3 MB')
    expect(page.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(['12', '2']),
    )
    expect(page.getAllByRole('img', { name: /in 30 days/ })).toHaveLength(3)
  })

  it('says what it does not know, and shows the rest', async () => {
    const now = { storageBytes: null, shares: 12, users: 2 }
    const page = await open({ [OVERVIEW]: ok(overview({ now, jobs: null })) })
    await page.findByText('12')
    expect(page.getByText('Unknown')).toBeTruthy()
    expect(page.getByText('The job queue cannot be reached.')).toBeTruthy()
  })

  it('names the latest events, and leads to all of them', async () => {
    const page = await open({ [OVERVIEW]: ok(overview()) })
    await page.findByText('Setting changed')
    const all = page.getByRole('link', { name: 'Full audit log' })
    expect(all.getAttribute('href')).toBe('/admin/audit')
  })

  it('can be asked for again when it could not be had', async () => {
    const page = await open({ [OVERVIEW]: refuse(500, 'internal') })
    const again = await page.findByRole('button', { name: 'Try again' })
    page.api.handle({ [OVERVIEW]: ok(overview()) })
    await page.user.click(again)
    await page.findByText('3 MB')
  })
})

describe('jobs that failed', () => {
  const table = async (page: Awaited<ReturnType<typeof open>>) =>
    within(await page.findByRole('table', { name: 'Failed jobs' }))

  it('tell why, and after how many attempts', async () => {
    const page = await open({ [OVERVIEW]: ok(overview()) })
    const failed = await table(page)
    expect(failed.getByText('No such mailbox here')).toBeTruthy()
    expect(failed.getByText('5')).toBeTruthy()
  })

  it('run again at a click, and leave the list', async () => {
    const page = await open({
      [OVERVIEW]: ok(overview()),
      'POST /api/admin/jobs/send-email-7/retry': done,
    })
    const again = (await table(page)).getByRole('button', { name: 'Run again' })
    page.api.handle({ [OVERVIEW]: ok(overview({ jobs: { counts: [counts], failed: [] } })) })
    await page.user.click(again)
    await page.findByText('The job will run again')
    await expect.poll(() => page.queryByRole('table', { name: 'Failed jobs' })).toBeNull()
  })

  it('that are gone meanwhile are told as such', async () => {
    const page = await open({
      [OVERVIEW]: ok(overview()),
      'POST /api/admin/jobs/send-email-7/retry': refuse(404, 'job_not_found'),
    })
    await page.user.click((await table(page)).getByRole('button', { name: 'Run again' }))
    await page.findByRole('alert')
  })
})
