import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * What is wrong with how the focus shows: nothing marks it, it lies under something, or it is outside
 * the window. A box that is drawn by what stands beside it, or by its label, is marked there.
 */
const MARK = `(() => {
  const element = document.activeElement
  // Behind the last thing of a page, the browser has its turn.
  if (!element || element === document.body) return ''
  const name = element.tagName + ' ' + (element.getAttribute('aria-label') ?? element.innerText ?? '')
  const isMarked = (one) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && !/, 0\\)$/.test(outlineColor)
  }
  const places = [element, ...(element.labels ?? []), element.nextElementSibling].filter(Boolean)
  const place = places.find(isMarked)
  if (!place) return 'nothing marks ' + name
  const { left, top, width, height } = place.getBoundingClientRect()
  const hit = document.elementFromPoint(left + width / 2, top + height / 2)
  if (!hit) return 'outside the window: ' + name
  const isOnTop = place.contains(hit) || hit.contains(place)
  return isOnTop ? '' : 'something lies over ' + name
})()`

/** Presses Tab until the focus is on `target`; wherever it comes by, it has to be seen. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  const isThere = () => target.and(page.locator(':focus')).count()
  for (let presses = 0; presses < 80; presses += 1) {
    if (presses > 0 || !(await isThere())) await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate<string>(MARK)).toBe('')
    if ((await isThere()) > 0) return
  }
  throw new Error(`Tab does not lead to ${String(target)}`)
}

/** Notes what the page has its live regions say from now on; answers with what was said so far. */
export async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(`
    globalThis.heard = []
    const regions = '[role="status"], [role="alert"], [aria-live="polite"], [aria-live="assertive"]'
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const element = target instanceof Element ? target : target.parentElement
        const text = element?.closest(regions)?.textContent
        if (text) globalThis.heard.push(text)
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true })`)
  return () => page.evaluate<string[]>('globalThis.heard')
}
