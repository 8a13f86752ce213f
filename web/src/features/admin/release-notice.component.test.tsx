// @vitest-environment jsdom
import { beforeEach, expect, it } from 'vitest'
import { ok } from '../../testing/api-server.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { sampleUser } from '../../testing/samples.ts'
import { ReleaseNotice } from './components/ReleaseNotice.tsx'

beforeEach(() => localStorage.clear())

const RELEASE = 'GET /api/admin/release'
const release = (version: string) =>
  ok({ latest: { version, url: `https://floe.example/${version}` } })
const render = (version: string) =>
  renderPage(<ReleaseNotice />, {
    user: sampleUser({ isAdmin: true }),
    api: { [RELEASE]: release(version) },
  })

it('leads to a newer version', async () => {
  const page = await render('1.2.0')
  const link = await page.findByRole('link', { name: 'Version 1.2.0 is available' })
  expect(link.getAttribute('href')).toBe('https://floe.example/1.2.0')
})

it.each([
  ['1.2.0', 0],
  ['1.3.0', 1],
])('is closed until there is another: %s', async (next, notices) => {
  const page = await render('1.2.0')
  await page.findByRole('alert')
  await page.press('Close')
  expect(page.queryByRole('alert')).toBeNull()
  const again = await render(next)
  await expect.poll(() => again.api.calls.length).toBeGreaterThan(0)
  await expect.poll(() => again.queryAllByRole('alert').length).toBe(notices)
})
