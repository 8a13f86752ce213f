import { beforeAll, expect, test } from 'vitest'
import type { Visitor } from './harness/journey.ts'
import { useJourney } from './harness/use-journey.ts'

const YEAR_SECONDS = 365 * 24 * 60 * 60

const journey = useJourney()
let member: Visitor

beforeAll(async () => {
  member = await journey.visitAsMember()
})

test('notices stand at the bottom right, five at most, for four seconds each', async () => {
  const page = await member.context.newPage()
  await page.clock.install()
  await page.goto('/account')
  await page.getByRole('heading', { name: 'My account' }).waitFor()
  await page.evaluate(`for (let index = 1; index <= 6; index += 1) {
    const detail = { show: { message: 'Notice ' + index, color: 'green' } }
    window.dispatchEvent(new CustomEvent('floe:notice', { detail }))
  }`)
  const notices = page.getByRole('alert').filter({ hasText: /^Notice \d$/ })
  await expect.poll(() => notices.count()).toBe(5)
  await page.clock.runFor(1_000)
  expect(await notices.count()).toBe(5)
  const box = await notices.first().boundingBox()
  expect(box?.x).toBeGreaterThan(640)
  expect(box?.y).toBeGreaterThan(300)
  await page.clock.runFor(2_500)
  expect(await notices.count()).toBe(5)
  // The sixth waits for a place, and has four seconds of its own from then on.
  await page.clock.runFor(1_500)
  await expect.poll(() => notices.count()).toBe(1)
  await page.clock.runFor(5_000)
  await expect.poll(() => notices.count()).toBe(0)
  await page.close()
})

test('a session is renewed by a look every two minutes, within the last two of its token', async () => {
  const page = await member.context.newPage()
  const renewals: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/token')) renewals.push(request.method())
  })
  await page.clock.install()
  await page.goto('/account')
  await page.getByRole('heading', { name: 'My account' }).waitFor()
  // The token is good for 15 minutes: a look at 12 leaves it alone, one at 14 renews it.
  for (let minutes = 2; minutes <= 12; minutes += 2) await page.clock.fastForward(120_000)
  expect(renewals).toEqual([])
  await page.clock.fastForward(119_000)
  expect(renewals).toEqual([])
  await page.clock.fastForward(1_500)
  await expect.poll(() => renewals).toEqual(['POST'])
  await page.close()
})

test('language and colour scheme are remembered for a year', async () => {
  const { page, context } = member
  await page.goto('/account')
  await page.getByRole('radiogroup', { name: 'Color scheme' }).getByText('Dark').click()
  await page.getByLabel('Language').selectOption('de')
  await page.getByRole('heading', { name: 'Mein Konto' }).waitFor()
  const cookies = await context.cookies()
  for (const [name, value] of [
    ['language', 'de'],
    ['mantine-color-scheme', 'dark'],
  ]) {
    const cookie = cookies.find((one) => one.name === name)
    expect(cookie, name).toMatchObject({ value, path: '/', sameSite: 'Lax' })
    const left = (cookie?.expires ?? 0) - Date.now() / 1000
    expect(Math.abs(left - YEAR_SECONDS), name).toBeLessThan(600)
  }
})

test('links are looked out for from 200 px outside what is visible', async () => {
  const stranger = await journey.visit()
  await stranger.page.addInitScript(`
    window.margins = []
    const { IntersectionObserver } = window
    window.IntersectionObserver = class extends IntersectionObserver {
      constructor(callback, options) {
        super(callback, options)
        window.margins.push(this.rootMargin)
      }
    }`)
  await stranger.open('/')
  await stranger.page.getByRole('link', { name: 'Sign in' }).waitFor()
  const margins = await stranger.page.evaluate<string[]>('[...new Set(window.margins)]')
  expect(margins).toEqual(['200px 200px 200px 200px'])
  await stranger.leave()
})
