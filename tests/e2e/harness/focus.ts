import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * What is wrong with how the focus of an element shows: nothing marks it, something lies over it, or
 * it is outside the window. A box that is drawn by what stands beside it or around it, or by its label, is
 * marked there.
 */
const FAULT = `(element) => {
  const name = element.tagName + ' ' + (element.getAttribute('aria-label') ?? (element.labels?.[0] ?? element).innerText)
  const isMarked = (one) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one)
    const { width, height } = one.getBoundingClientRect()
    const isDrawn = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
    return isDrawn && !/, 0\\)$/.test(outlineColor) && width > 8 && height > 8
  }
  const { labels, nextElementSibling, parentElement } = element
  const places = [element, ...(labels ?? []), nextElementSibling, parentElement].filter(Boolean)
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
  // A key makes the focus visible from then on; this one does nothing.
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

/**
 * Presses Tab from the start of the page until the browser has its turn: nothing holds the focus,
 * and wherever it is, it is seen.
 */
export async function tabThrough(page: Page): Promise<void> {
  await page.evaluate('document.activeElement.blur()')
  for (let presses = 0; presses < 200; presses += 1) {
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate<string>(FAULT_OF_FOCUSED)).toBe('')
    if (await page.evaluate<boolean>('document.activeElement === document.body')) return
  }
  throw new Error('Tab does not leave the page')
}

/** Notes what the page has its live regions say from now on; returns what was said so far. */
export async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(`
    globalThis.heard = []
    const regions = '[role="status"], [role="alert"], [aria-live="polite"], [aria-live="assertive"]'
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        const element = target instanceof Element ? target : target.parentElement
        const added = [...addedNodes].filter((node) => node instanceof Element)
        const come = added.flatMap((node) => [node, ...node.querySelectorAll(regions)])
        for (const region of [element?.closest(regions), ...come.filter((node) => node.matches(regions))]) {
          if (region?.textContent) globalThis.heard.push(region.textContent)
        }
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true })`)
  return () => page.evaluate<string[]>('globalThis.heard')
}
