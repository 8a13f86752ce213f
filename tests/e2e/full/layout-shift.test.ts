import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Visitor } from '../harness/journey.ts'
import { makeShare } from '../harness/shares.ts'
import { useJourney } from '../harness/use-journey.ts'

// Each part of a page then comes after the one that asks for it, as it does away from this computer.
const LATENCY_MS = 50
/** Less than an eye notices; a good page may have five times as much. */
const MOST = 0.02

const journey = useJourney()
let admin: Visitor

const picture = PNG.sync.write(new PNG({ width: 320, height: 240 }))
const pictures = ['1', '2', '3', '4', '5', '6'].map((name) => [`${name}.png`, picture])
const texts = Array.from({ length: 130 }, (_, at) => [`${at}.txt`, 'text'])

beforeAll(async () => {
  admin = await journey.visitAsAdministrator()
  const { request } = admin.context
  await makeShare(request, { id: 'shift-list', name: 'Notes', files: Object.fromEntries(texts) })
  await makeShare(request, { id: 'shift-gallery', files: Object.fromEntries(pictures) })
  await makeShare(request, { id: 'shift-text', files: { 'notes.txt': 'One line\n'.repeat(9) } })
  await makeShare(request, { id: 'shift-locked', password: 'sesame', files: { 'a.txt': 'A' } })
  // Lists of several rows show more of what comes late.
  for (let members = 0; members < 3; members += 1) await (await journey.visitAsMember()).leave()
})

const forVisitors = [
  '/',
  '/auth/signIn',
  '/auth/signUp',
  '/share/shift-list',
  '/share/shift-gallery',
  '/share/shift-text',
  '/share/shift-locked',
]
const forAdministrators = [
  '/upload',
  '/share/shift-list',
  '/share/shift-list/edit',
  '/share/shift-list/activity',
  '/account',
  '/account/shares',
  '/account/reverseShares',
  '/admin',
  '/admin/users',
  '/admin/shares',
  '/admin/audit',
  '/admin/config/general',
  '/admin/config/share',
]

// Run in the page, by the Layout Instability API.
const WATCH = `window.shifts = []
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    if (hadRecentInput) continue
    const moved = sources.map(({ node, previousRect: from, currentRect: to }) => {
      const element = node?.nodeType === 1 ? node : node?.parentElement
      return element?.tagName + '.' + element?.className + ' "' + element?.textContent.slice(0, 30) +
        '" ' + from.x + ',' + from.y + ' to ' + to.x + ',' + to.y
    })
    shifts.push({ value, moved })
  }
}).observe({ type: 'layout-shift', buffered: true })`

interface Shift {
  value: number
  moved: string[]
}

async function findShifts(page: Page, path: string): Promise<Shift[]> {
  await page.goto(path)
  await page.locator('h1, [role=dialog]').first().waitFor()
  await page.waitForLoadState('networkidle')
  return page.evaluate<Shift[]>('shifts')
}

describe.each([
  ['a desktop', { width: 1280, height: 800 }],
  ['a phone', { width: 390, height: 844 }],
])('on %s', (_name, viewport) => {
  test.each([
    ['a visitor', forVisitors],
    ['an administrator', forAdministrators],
  ])('nothing that %s sees moves while a page comes', async (who, paths) => {
    const { page, context, leave } = await journey.visit({ viewport })
    if (who === 'an administrator') await context.addCookies(await admin.context.cookies())
    await page.addInitScript(WATCH)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: LATENCY_MS,
      downloadThroughput: -1,
      uploadThroughput: -1,
    })
    for (const path of paths) {
      const shifts = await findShifts(page, path)
      const sum = shifts.reduce((total, { value }) => total + value, 0)
      expect.soft(sum, `${path} ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(MOST)
    }
    await leave()
  })
})
