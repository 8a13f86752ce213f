import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * What is wrong with how the focus of an element shows: nothing marks it, something lies over it, or
 * it is outside the window. A box that is drawn by what stands beside it, or by its label, is marked
 * there.
 */
const FAULT = `(element) => {
  const name = element.tagName + ' ' + (element.getAttribute('aria-label') ?? (element.labels?.[0] ?? element).innerText)
  const isMarked = (one) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one)
    const { width, height } = one.getBoundingClientRect()
    const isDrawn = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
    return isDrawn && !/, 0\\)$/.test(outlineColor) && width > 8 && height > 8
  }
  const places = [element, ...(element.labels ?? []), element.nextElementSibling].filter(Boolean)
  const place = places.find(isMarked)
  if (!place) return 'nothing marks ' + name
  const { left, top, right, bottom } = place.getBoundingClientRect()
  const points = [[0.5, 0.5], [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9]]
  const hits = points.map(([across, down]) =>
    document.elementFromPoint(left + (right - left) * across, top + (bottom - top) * down))
  if (hits.every((hit) => hit === null)) return 'outside the window: ' + name
  // Notices go by themselves.
  const isOnTop = (hit) =>
    hit && (place.contains(hit) || hit.contains(place) || hit.closest('.mantine-Notifications-root'))
  return hits.some(isOnTop) ? '' : 'something lies over ' + name
}`

/** Whatever the browser draws a focus for by itself is left to it. */
const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex]'

/**
 * Things that take the focus without showing it, whichever way it comes; of the element `front`
 * finds, or of the whole page.
 */
export async function findUnseenFocus(page: Page, front: string): Promise<string[]> {
  // Whoever presses a key sees the focus from then on; this one does nothing.
  await page.keyboard.press('F9')
  return page.evaluate<string[]>(`(() => {
    const fault = ${FAULT}
    const found = new Set()
    const before = document.activeElement
    const all = [...(document.querySelector('${front}') ?? document).querySelectorAll('${FOCUSABLE}')]
      .filter((element) => element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true }))
    for (const element of [...all, ...all.toReversed()]) {
      element.focus()
      // Even where motion is reduced, they take a moment.
      for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish()
      if (document.activeElement === element) found.add(fault(element))
    }
    if (before === document.body) document.activeElement.blur()
    else before.focus()
    window.scrollTo(0, 0)
    found.delete('')
    return [...found]
  })()`)
}

/** Of what has the focus. Behind the last thing of a page, the browser has its turn. */
const FAULT_OF_FOCUSED = `document.activeElement === document.body ? '' : (${FAULT})(document.activeElement)`

/** Presses Tab until the focus is on `target`; wherever it comes by, it has to be seen. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  const isThere = () => target.and(page.locator(':focus')).count()
  for (let presses = 0; presses < 80; presses += 1) {
    if (presses > 0 || !(await isThere())) await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate<string>(FAULT_OF_FOCUSED)).toBe('')
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
