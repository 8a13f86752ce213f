import { beforeAll, expect, test } from 'vitest'
import type { Visitor } from './harness/journey.ts'
import { useJourney } from './harness/use-journey.ts'

const YEAR_SECONDS = 365 * 24 * 60 * 60
const DESKTOP = { width: 1280, height: 800 }

// What the specification says in figures, as Chromium has it.

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
  // From here on time passes only where this says so, however long the machine takes.
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await page.evaluate(`for (let index = 1; index <= 6; index += 1) {
    const detail = { show: { message: 'Notice ' + index, color: 'green' } }
    window.dispatchEvent(new CustomEvent('floe:notice', { detail }))
  }`)
  const notices = page.getByRole('alert').filter({ hasText: /^Notice \d$/ })
  await expect.poll(() => notices.count()).toBe(5)
  // What React still has to do begins the time of the last ones: it comes by messages, which pass.
  await page.evaluate(`(async () => {
    for (let left = 20; left > 0; left -= 1) {
      await new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = resolve
        port2.postMessage(null)
      })
    }
  })()`)
  await page.clock.runFor(100)
  const box = await notices.last().boundingBox()
  expect(box && DESKTOP.width - box.x - box.width).toBeLessThan(40)
  expect(box && DESKTOP.height - box.y - box.height).toBeLessThan(40)
  await page.clock.runFor(3_800)
  expect(await notices.count()).toBe(5)
  // The sixth waited for a place, and has four seconds of its own from then on.
  await expect
    .poll(async () => {
      await page.clock.runFor(50)
      return notices.allInnerTexts()
    })
    .toEqual(['Notice 6'])
  await page.clock.runFor(3_700)
  expect(await notices.count()).toBe(1)
  await page.clock.runFor(500)
  await expect.poll(() => notices.count()).toBe(0)
  await page.close()
})

test('a dialog comes and goes within 200 ms', async () => {
  const { page, context, leave } = await journey.visit({ reducedMotion: 'no-preference' })
  await context.addCookies(await member.context.cookies())
  await page.goto('/account')
  await page.evaluate(`
    window.durations = new Set()
    window.addEventListener('transitionrun', ({ target }) => {
      if (target.getAttribute('role') !== 'dialog') return
      for (const { effect } of target.getAnimations()) window.durations.add(effect.getTiming().duration)
    })`)
  const takeDurations = () =>
    page.evaluate<number[]>(`(() => {
      const all = [...window.durations]
      window.durations.clear()
      return all
    })()`)
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog')
  await expect.poll(takeDurations).toEqual([200])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await takeDurations()).toEqual([200])
  await leave()
})

test.each([
  ['a desktop', DESKTOP],
  ['a phone', { width: 390, height: 844 }],
])('the bar of %s is 60 px high on every page that has one', async (_device, viewport) => {
  const { page, context, leave } = await journey.visit({ viewport })
  const heights: Record<string, number | undefined> = {}
  const measure = async (path: string) => {
    await page.goto(path)
    heights[path] = (await page.getByRole('banner').first().boundingBox())?.height
  }
  for (const path of ['/', '/auth/signIn', '/auth/signUp', '/error']) await measure(path)
  await context.addCookies(await member.context.cookies())
  for (const path of ['/upload', '/account', '/account/shares', '/account/reverseShares']) {
    await measure(path)
  }
  expect(new Set(Object.values(heights)), JSON.stringify(heights)).toEqual(new Set([60]))
  await leave()
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
  await page.clock.pauseAt(new Date(Date.now() + 1_000))
  // The token is good for 15 minutes: a look at 12 leaves it alone, one at 14 renews it.
  for (let minutes = 2; minutes <= 12; minutes += 2) await page.clock.fastForward(120_000)
  expect(renewals).toEqual([])
  // It was not loaded at the very moment that time stood still.
  await page.clock.fastForward(105_000)
  expect(renewals).toEqual([])
  await page.clock.fastForward(15_000)
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
