import { expect, test } from 'vitest'
import { useJourney } from './harness/use-journey.ts'

const journey = useJourney()

test('stylesheets that were lost on the way are there once the connection is back', async () => {
  const { page } = await journey.visitAsMember()
  await page.goto('/upload')
  await page.waitForLoadState('networkidle')
  const lost = new Set<string>()
  await page.route('**/*.css', async (route) => {
    const url = route.request().url()
    if (lost.has(url)) return route.continue()
    lost.add(url)
    await route.abort('connectionreset')
  })

  // The first sign of life that the page listens to fetches what notices take, before it is needed.
  const isAnyLost = async () => {
    await page.keyboard.press('Tab')
    return lost.size > 0
  }
  await expect.poll(isAnyLost).toBe(true)
  await page.getByRole('button', { name: 'Write text' }).click()
  await page.getByRole('dialog').waitFor()
  const missing = `[...document.querySelectorAll('link[rel=stylesheet]')].filter(({ sheet }) => !sheet?.cssRules.length).length`
  await expect.poll(() => page.evaluate<number>(missing)).toBe(0)
  expect(journey.problems.take()).toHaveLength(lost.size)
})
