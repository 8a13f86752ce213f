import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { pageUse } from '../harness/browser-memory.ts'
import { type Tree, writeTree } from '../harness/files.ts'
import type { Visitor } from '../harness/journey.ts'
import { countRows, showRow } from '../harness/long-lists.ts'
import { nextFrame, watchRows } from '../harness/row-changes.ts'
import { finishShare, shareButton, shareOptions, takeLine } from '../harness/uploading.ts'
import { useJourney } from '../harness/use-journey.ts'

const FILES = 5000
const FOLDERS = 20
const TIMEOUT_MS = 400_000
/** Far less than every row would take: one has about fifteen nodes. */
const MOST_NODES = 6000
const MOST_HEAP_BYTES = 40_000_000
/** What fits into the window, and as much again. */
const MOST_ROWS = 60
const STEPS = 20
const STEP_PX = 300
const LARGE = 'A large sheet. '.repeat(100_000)
/** Small files travel together, and would all be there before anybody has looked at the list. */
const SLOWEST_LINE = { uploadBytesPerSecond: 2000 }
const SLOW_LINE = { uploadBytesPerSecond: 20_000 }

const journey = useJourney()
let owner: Visitor
let page: Page
let folder: string
let link: string

const number = (index: number) => String(index).padStart(4, '0')

/** One folder with nearly all files, and a few beside it, of which one is too large for a batch. */
function tree(): Tree {
  const files: Record<string, string> = {}
  for (let index = 0; index < FILES; index += 1) {
    const place = index < FOLDERS ? `notes/day ${number(index)}` : 'scans'
    files[`${place}/sheet ${number(index)}.txt`] = index === 0 ? LARGE : `Sheet ${index}`
  }
  return files
}

beforeAll(async () => {
  folder = join(journey.folder, 'Estate')
  await writeTree(folder, tree())
})

// A turn of the wheel scrolls whenever the page comes to it, which is late while it sends.
const scrollBy = (px: number) => `scrollBy({ top: ${px}, behavior: 'instant' })`
const shownRows = () => page.locator('main [data-index]').count()
const focusedLabel = () => page.evaluate<string | null>('document.activeElement.ariaLabel')

async function expectSmallPage() {
  expect(await shownRows()).toBeLessThan(MOST_ROWS)
  const { nodes, heapBytes } = await pageUse(page)
  console.log(`${nodes} nodes, heap of ${(heapBytes / 1e6).toFixed(1)} MB`)
  expect(nodes).toBeLessThan(MOST_NODES)
  expect(heapBytes).toBeLessThan(MOST_HEAP_BYTES)
}

/** Scrolls step by step, and expects of each what is new in it to be all that is drawn. */
async function expectCheapScrolling({ rowPx }: { rowPx: number }) {
  const { added, changed, pageHeights } = await watchRows(page, async () => {
    for (let step = 0; step < STEPS; step += 1) {
      await page.evaluate(scrollBy(STEP_PX))
      await nextFrame(page)
    }
  })
  const uncovered = (STEPS * STEP_PX) / rowPx
  expect(added).toBeGreaterThan(uncovered - STEPS)
  expect(added).toBeLessThan(uncovered + STEPS)
  expect(changed).toBe(0)
  // One that changes has the browser paint all of the page again.
  expect(pageHeights).toHaveLength(1)
}

test(
  `${FILES} files are listed, walked through and uploaded in a page that stays small`,
  { timeout: TIMEOUT_MS },
  async () => {
    owner = await journey.visitAsMember()
    page = owner.page
    link = `estate-${Date.now()}`
    await page.goto('/upload')
    const line = await takeLine(page)
    await line.set(SLOWEST_LINE)
    await page.getByLabel('Folder to upload').setInputFiles(folder)
    await page.getByText(/^5,?000 files, /).waitFor()
    await page.getByRole('button', { name: 'Pause all' }).click()
    await page.getByRole('button', { name: 'Resume all' }).waitFor()
    expect(await countRows(page)).toBe(FILES)
    const last = await showRow(page, FILES - 1)
    await last.getByText(/^Estate\/.*sheet \d{4}\.txt$/).waitFor()
    await expectSmallPage()

    await showRow(page, 100)
    await expectCheapScrolling({ rowPx: 62 })

    // The keyboard's place stays where it is while one looks elsewhere.
    const middle = await showRow(page, 2500)
    const remove = middle.getByRole('button', { name: /^Remove / })
    await remove.focus()
    const label = await focusedLabel()
    await showRow(page, 0)
    expect(await focusedLabel()).toBe(label)
    await page.keyboard.press('Tab')
    expect(await focusedLabel()).not.toBe(label)
    expect(await focusedLabel()).toMatch(/^Edit Estate/)
    await (await showRow(page, 2500)).getByRole('button', { name: /^Remove / }).focus()
    await page.keyboard.press('Enter')
    await page.getByText(/^4,?999 files, /).waitFor()
    // The row that took its place has the focus.
    expect(await focusedLabel()).toBe(
      await (
        await showRow(page, 2500)
      )
        .getByRole('button', { name: /^Remove / })
        .getAttribute('aria-label'),
    )
    expect(await focusedLabel()).not.toBe(label)
    await page.getByLabel('Folder to upload').setInputFiles(folder)
    await page.getByText(/^5,?000 files, /).waitFor()

    await shareOptions(page).getByLabel('Link').fill(link)
    await shareButton(page).click()
    await page.getByRole('heading', { name: 'Uploading', level: 1 }).waitFor()
    const list = page.getByRole('list', { name: 'Files being uploaded' })
    await line.set(SLOW_LINE)
    await page.getByRole('button', { name: 'Resume all' }).click()
    await page.getByRole('button', { name: 'Pause all' }).waitFor()
    // Batches of hundreds are under way: the last files wait.
    await showRow(page, FILES - 200)
    await expectCheapScrolling({ rowPx: 62 })
    // Files that are on their way elsewhere leave the ones in sight alone.
    const progress = page.getByText(/^[\d.,]+.[kM]?B of [\d.,]+.MB$/)
    const { added, changed } = await watchRows(page, async () => {
      for (let tick = 0; tick < 3; tick += 1) {
        const before = await progress.textContent()
        await expect.poll(() => progress.textContent(), { timeout: 10_000 }).not.toBe(before)
      }
    })
    expect({ added, changed }).toEqual({ added: 0, changed: 0 })
    expect(await list.getByRole('listitem').first().getAttribute('aria-setsize')).toBe(`${FILES}`)
    await expectSmallPage()
    await line.set({})
    await finishShare(page, TIMEOUT_MS)
    const response = await owner.context.request.get(`/api/shares/${link}/from-owner`)
    const { files } = (await response.json()) as { files: { name: string }[] }
    expect(new Set(files.map(({ name }) => name)).size).toBe(FILES)
    await expectSmallPage()
  },
)

test('visitors and the owner look through all of its files in a page that stays small', async () => {
  await page.goto(`/share/${link}?folder=Estate/scans`)
  await page.getByRole('table').waitFor()
  expect(await countRows(page)).toBe(FILES - FOLDERS)
  const last = await showRow(page, FILES - FOLDERS - 1)
  await last.getByRole('link', { name: 'Download sheet 4999.txt' }).waitFor()
  await expectSmallPage()

  await page.goto(`/share/${link}/edit`)
  await page.getByRole('table').waitFor()
  expect(await countRows(page)).toBe(FILES)
  const row = await showRow(page, 4000)
  await row.getByRole('button', { name: /^Delete / }).click()
  await row.getByRole('button', { name: /^Keep / }).waitFor()
  await showRow(page, 10)
  await (await showRow(page, 4000)).getByRole('button', { name: /^Keep / }).click()
  await expectSmallPage()
})
