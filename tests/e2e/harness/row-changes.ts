import type { Page } from 'playwright-core'

/** What happened to the rows of a long list while something went on. */
export interface RowChanges {
  /** Rows that came. */
  added: number
  /** Rows that stayed, and in which something changed. */
  changed: number
  /** How high the page was in its frames, without repetition. */
  pageHeights: number[]
}

// Run in the page.
const WATCH = `() => {
  const watch = { added: new Set(), changed: new Set(), heights: new Set(), isOn: true }
  const rowOf = (node) => (node.closest ? node : node.parentElement)?.closest('[data-index]')
  watch.observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      for (const node of addedNodes) if (node.dataset?.index) watch.added.add(node)
      const row = rowOf(target)
      if (row && !watch.added.has(row)) watch.changed.add(row)
    }
  })
  watch.observer.observe(document.querySelector('main'), {
    subtree: true, childList: true, attributes: true, characterData: true,
  })
  requestAnimationFrame(function frame() {
    watch.heights.add(document.documentElement.scrollHeight)
    if (watch.isOn) requestAnimationFrame(frame)
  })
  window.rowWatch = watch
}`

const UNWATCH = `() => {
  const { added, changed, heights, observer } = window.rowWatch
  window.rowWatch.isOn = false
  observer.disconnect()
  return { added: added.size, changed: changed.size, pageHeights: [...heights] }
}`

const TWO_FRAMES = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`

/** Resolves once what was done has been shown. */
export async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(TWO_FRAMES)
}

export async function watchRows(page: Page, act: () => Promise<unknown>): Promise<RowChanges> {
  await nextFrame(page)
  await page.evaluate(`(${WATCH})()`)
  await act()
  await nextFrame(page)
  return page.evaluate<RowChanges>(`(${UNWATCH})()`)
}
