import type { Locator, Page } from 'playwright-core'

// Only the rows of a table or a list that are near the window are in its document.

/** Rows without the header. */
export async function countRows(page: Page): Promise<number> {
  return page.evaluate<number>(COUNT_ROWS)
}

/** Scrolls to a row, counted from 0. */
export async function showRow(page: Page, index: number): Promise<Locator> {
  await page.evaluate(`(${SHOW_ROW})(${index})`)
  return page.locator(`main [data-index="${index}"]`)
}

/** What `read`, a function run in the page, tells of each row. */
export async function readRows<T>(page: Page, read: string): Promise<T[]> {
  const count = await countRows(page)
  const rows = new Map<number, T>()
  for (let index = 0; index < count; index += 1) {
    if (rows.has(index)) continue
    await showRow(page, index)
    const shown = await page.evaluate<[number, T][]>(`(${READ_SHOWN})(${read})`)
    for (const [at, row] of shown) rows.set(at, row)
  }
  return [...rows].sort(([a], [b]) => a - b).map(([, row]) => row)
}

// Run in the page.
const COUNT_ROWS = `(() => {
  const table = document.querySelector('main table')
  const item = document.querySelector('main li[data-index]')
  return table ? Number(table.ariaRowCount) - 1 : Number(item?.ariaSetSize ?? 0)
})()`

const SHOW_ROW = `async (index) => {
  const count = ${COUNT_ROWS}
  const find = () => document.querySelector('main [data-index="' + index + '"]')
  for (let frames = 0; !find(); frames += 1) {
    if (frames > 600) throw new Error('row ' + index + ' does not come')
    // A table may be there before its first rows.
    const rows = document.querySelector('main [data-index]')?.parentElement
    if (rows) {
      const { top, height } = rows.getBoundingClientRect()
      scrollBy({ top: top + (height * index) / count - innerHeight / 2, behavior: 'instant' })
    }
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
  find().scrollIntoView({ block: 'center', behavior: 'instant' })
}`

const READ_SHOWN = `(read) =>
  [...document.querySelectorAll('tbody tr[data-index]')].map((row) => [Number(row.dataset.index), read(row)])`
