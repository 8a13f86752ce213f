import { setTimeout as delay } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'

/** The least that the browser tells of; what is quicker counts as much. */
const LEAST_MS = 16

// Run in the page, by the Event Timing API. An interaction is told once its frame has been shown.
const OBSERVE = `window.interactions ??= new PerformanceObserver(() => {})
window.longestMs = 0
interactions.disconnect()
interactions = new PerformanceObserver((list) => {
  for (const { interactionId, duration } of list.getEntries()) {
    if (interactionId > 0) longestMs = Math.max(longestMs, duration)
  }
})
interactions.observe({ type: 'event', durationThreshold: ${LEAST_MS} })`

/** Resolves once the page has had nothing to do for a while. */
const IDLE = `(async () => {
  const idle = () => new Promise((resolve) => requestIdleCallback(resolve))
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  for (let times = 0; times < 10; times++) {
    await frame()
    await idle()
  }
})()`

const waitUntilIdle = (page: Page) => page.evaluate(IDLE)

/** Longer than anything here takes to be shown. */
const SHOWN_MS = 400

/** How long what `act` sends took until the next frame showed it. */
export async function timeInteraction(page: Page, act: () => Promise<unknown>): Promise<number> {
  await waitUntilIdle(page)
  await page.evaluate(OBSERVE)
  await act()
  // Meanwhile nothing of this runs in the page.
  await delay(SHOWN_MS)
  await waitUntilIdle(page)
  return Math.max(LEAST_MS, await page.evaluate<number>('longestMs'))
}

/** By the place alone: Playwright's own `tap` has the page look for what lies there. */
export async function timeTap(page: Page, element: Locator): Promise<number> {
  await element.scrollIntoViewIfNeeded()
  await waitUntilIdle(page)
  const box = await element.boundingBox()
  if (!box) throw new Error('nothing to touch')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  return timeInteraction(page, () => page.touchscreen.tap(x, y))
}

/** The slowest of keys, pressed one after another. */
export async function timeKeys(page: Page, keys: readonly string[]): Promise<number> {
  let slowest = 0
  for (const key of keys) {
    slowest = Math.max(slowest, await timeInteraction(page, () => page.keyboard.press(key)))
  }
  return slowest
}
