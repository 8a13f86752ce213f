import { expect, test } from 'vitest'
import { useJourney } from '../harness/use-journey.ts'

const journey = useJourney()

/** Left and right of the current category, from the left of the bar in its parts. */
const placeOfCurrent = `(() => {
  const bar = document.querySelector('nav:has(> [aria-current=page])')
  const { left, width } = bar.getBoundingClientRect()
  const current = bar.querySelector('[aria-current=page]').getBoundingClientRect()
  return { from: (current.left - left) / width, to: (current.right - left) / width }
})()`

const countCrowded = `[...document.querySelectorAll('nav:has(> [aria-current=page]) > a')]
  .filter((link) => link.scrollWidth > link.clientWidth).length`

test.each(['en', 'ar'])(
  'on a phone the bar of categories shows the current one, wherever it stands (%s)',
  async (language) => {
    const { page, context, leave } = await journey.visitAsAdministrator({
      viewport: { width: 360, height: 780 },
      hasTouch: true,
    })
    await context.addCookies([{ name: 'language', value: language, url: journey.floe.url }])
    const expectInSight = async (category: string) => {
      const isInSight = async () => {
        const { from, to } = await page.evaluate<{ from: number; to: number }>(placeOfCurrent)
        return from >= 0 && to <= 1
      }
      await expect.poll(isInSight, { message: category }).toBe(true)
      expect(await page.evaluate(countCrowded), 'texts that lie over the next one').toBe(0)
      expect(await page.evaluate('Math.abs(document.scrollingElement.scrollLeft)')).toBe(0)
    }
    const addresses = async () => {
      const links = await page.locator('nav:has(> [aria-current=page]) > a').all()
      return Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''))
    }

    await page.goto('/admin/config/general')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const all = await addresses()
    expect(all.length).toBeGreaterThan(6)
    // By their addresses, the last one first, and then by presses.
    for (const address of all.toReversed()) {
      await page.goto(address)
      await page.locator(`nav a[href="${address}"][aria-current=page]`).waitFor()
      await expectInSight(address)
    }
    for (const address of all.slice(1)) {
      await page.locator(`nav a[href="${address}"]`).click()
      await page.locator(`nav a[href="${address}"][aria-current=page]`).waitFor()
      await expectInSight(address)
    }
    await leave()
  },
)
