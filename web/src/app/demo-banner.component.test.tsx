// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { renderPage } from '../testing/render-page.tsx'
import { DemoBanner } from './DemoBanner.tsx'

const demo = { username: 'demo', password: 'floe-for-an-hour', resetEveryMs: 3_600_000 }

beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] }))
afterEach(() => vi.useRealTimers())

it('says how to sign in, that no email is sent, and counts the minutes until everything is deleted', async () => {
  vi.setSystemTime('2026-11-25T14:46:00Z')
  const page = await renderPage(<DemoBanner />, { demo })
  const banner = page.getByRole('complementary', { name: 'This is a demo.' })
  expect(banner.textContent).toBe(
    'This is a demo. Everything here is deleted in 14 minutes. Administrator: demo Password: floe-for-an-hour No email is sent.',
  )
  vi.setSystemTime('2026-11-25T14:58:00Z')
  await vi.advanceTimersByTimeAsync(10_000)
  await page.findByText('Everything here is deleted in 2 minutes.')
  vi.setSystemTime('2026-11-25T15:00:05Z')
  await vi.advanceTimersByTimeAsync(10_000)
  await page.findByText('Everything here is deleted in 60 minutes.')
})

it('is nowhere but in a demo', async () => {
  const page = await renderPage(<DemoBanner />)
  expect(page.queryByRole('complementary')).toBeNull()
})
