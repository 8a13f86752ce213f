import { devices, type Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { configure } from './harness/people.ts'
import { makeShare } from './harness/shares.ts'
import { useJourney } from './harness/use-journey.ts'

// The gateway draws the bar and the heading of a page; the application takes their place.

const journey = useJourney()

beforeAll(async () => {
  const admin = await journey.visitAsAdministrator()
  await configure(admin, {
    'share.allowUnauthenticatedShares': true,
    'share.maxSize': 2_000_000_000,
  })
  const files = { 'a.txt': 'A', 'b.txt': 'B' }
  await makeShare(admin.context.request, {
    ...{ id: 'open', name: 'Pictures of & for <us>', expiration: 'never', files },
  })
  await admin.leave()
})

const { defaultBrowserType: _, ...phone } = devices['Pixel 7']
const tablet = { viewport: { width: 800, height: 1000 } }
const people = [
  ['a desktop', {}],
  ['a dark phone', { ...phone, colorScheme: 'dark' }],
  ['an Arabic tablet', { ...tablet, locale: 'ar' }],
] as const

/** What stands on each page, by its selector. */
const pages = {
  '/': ['header a', 'header img', 'h1', 'h1 + p'],
  '/auth/signIn': ['header a', 'main img', 'h1'],
  '/auth/signUp': ['header a', 'main img', 'h1'],
  '/upload': ['header a', 'h1', 'h2', 'h2 + p'],
  '/share/open': ['header a', 'h1', 'h1 + p'],
}

interface Look {
  text: string
  /** Left, top and height in CSS pixels. */
  at: number[]
  style: string[]
}

/** Words by where their letters are: what holds them may be wider. */
const look = (page: Page, selector: string) =>
  page.evaluate<Look>(`(() => {
    const element = document.querySelector('${selector}')
    const letters = document.createRange()
    letters.selectNodeContents(element)
    const { x, y, height } = (element.hasChildNodes() ? letters : element).getBoundingClientRect()
    const { color, fontSize, fontWeight, fontFamily } = getComputedStyle(element)
    return {
      text: element.textContent.replace(/[\\u2068\\u2069]/g, '').replace(/\\s+/g, ' ').trim(),
      at: [x, y, height].map((length) => Math.round(length)),
      style: [color, fontSize, fontWeight, fontFamily],
    }
  })()`)

describe.each(people)('on %s', (_name, options) => {
  test.each(Object.entries(pages))(
    '%s shows before its scripts what the application then shows in the same place',
    async (path, selectors) => {
      // Another page than a visitor's, which waits for the application.
      const context = await journey.browser.newContext({ baseURL: journey.floe.url, ...options })
      const page = await context.newPage()
      journey.problems.watch(page)
      // The way past the bar is the application's.
      const application = page.locator('#root > a[href="#main"]')
      await page.route('**/assets/*.js', (route) => route.abort('blockedbyclient'))
      await page.goto(path)
      const first = new Map<string, Look>()
      for (const selector of selectors) first.set(selector, await look(page, selector))
      expect(await application.count()).toBe(0)
      journey.problems.take()

      await page.unroute('**/assets/*.js')
      await page.goto(path)
      await application.waitFor({ state: 'attached' })
      for (const selector of selectors) {
        expect(await look(page, selector), selector).toEqual(first.get(selector))
      }
      await context.close()
    },
  )
})
