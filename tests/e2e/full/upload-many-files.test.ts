import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { pageUse } from '../harness/browser-memory.ts'
import { type Tree, writeTree } from '../harness/files.ts'
import type { Visitor } from '../harness/journey.ts'
import { countRows, showRow } from '../harness/long-lists.ts'
import { nextFrame, watchRows } from '../harness/row-changes.ts'
import { finishShare } from '../harness/uploading.ts'
import { useJourney } from '../harness/use-journey.ts'

const FILES = 5000
const FOLDERS = 20
const TIMEOUT_MS = 400_000
/** Far less than every row would take: one has about fifteen nodes. */
const MOST_NODES = 6000
const MOST_HEAP_BYTES = 40_000_000
/** What fits into the window, and as much again. */
const MOST_ROWS = 60
const WHEEL_STEPS = 20
const WHEEL_PX = 300

const journey = useJourney()
let owner: Visitor
let page: Page
let folder: string
let link: string

const number = (index: number) => String(index).padStart(4, '0')

/** One folder with nearly all files, and a few small ones beside it. */
function tree(): Tree {
  const files: Record<string, string> = {}
  for (let index = 0; index < FILES; index += 1) {
    const place = index < FOLDERS ? `notes/day ${number(index)}` : 'scans'
    files[`${place}/sheet ${number(index)}.txt`] = `Sheet ${index}`
  }
  return files
}

beforeAll(async () => {
  folder = join(journey.folder, 'Estate')
  await writeTree(folder, tree())
})

const shownRows = () => page.locator('main [data-index]').count()
const focusedLabel = () => page.evaluate<string | null>('document.activeElement.ariaLabel')

async function expectSmallPage() {
  expect(await shownRows()).toBeLessThan(MOST_ROWS)
  const { nodes, heapBytes } = await pageUse(page)
  console.log(`${nodes} nodes, heap of ${(heapBytes / 1e6).toFixed(1)} MB`)
  expect(nodes).toBeLessThan(MOST_NODES)
  expect(heapBytes).toBeLessThan(MOST_HEAP_BYTES)
}

/** Turns the wheel step by step, and expects of each what is new in it to be all that is drawn. */
async function expectCheapScrolling({ rowPx }: { rowPx: number }) {
  const { added, changed, pageHeights } = await watchRows(page, async () => {
    for (let step = 0; step < WHEEL_STEPS; step += 1) {
      await page.mouse.wheel(0, WHEEL_PX)
      await nextFrame(page)
    }
  })
  const uncovered = (WHEEL_STEPS * WHEEL_PX) / rowPx
  expect(added).toBeGreaterThan(uncovered - WHEEL_STEPS)
  expect(added).toBeLessThan(uncovered + WHEEL_STEPS)
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
    await page.getByLabel('Folder to upload').setInputFiles(folder)
    await page.getByText(/^5,?000 files, /).waitFor()
    expect(await countRows(page)).toBe(FILES)
    const last = await showRow(page, FILES - 1)
    await last.getByText(/^Estate\/.*sheet \d{4}\.txt$/).waitFor()
    await expectSmallPage()

    await page.evaluate('scrollTo({ top: 0, behavior: "instant" })')
    await page.mouse.move(640, 500)
    await page.mouse.wheel(0, 20 * WHEEL_PX)
    await nextFrame(page)
    await expectCheapScrolling({ rowPx: 47 })

    // The keyboard's place stays where it is while the wheel looks elsewhere.
    const middle = await showRow(page, 2500)
    const remove = middle.getByRole('button')
    await remove.focus()
    const label = await focusedLabel()
    await showRow(page, 0)
    expect(await focusedLabel()).toBe(label)
    await page.keyboard.press('Tab')
    expect(await focusedLabel()).not.toBe(label)
    expect(await focusedLabel()).toMatch(/^Remove Estate/)
    await (await showRow(page, 2500)).getByRole('button').focus()
    await page.keyboard.press('Enter')
    await page.getByText(/^4,?999 files, /).waitFor()
    // The row that took its place has the focus.
    expect(await focusedLabel()).toBe(
      await (await showRow(page, 2500)).getByRole('button').getAttribute('aria-label'),
    )
    expect(await focusedLabel()).not.toBe(label)
    await page.getByLabel('Folder to upload').setInputFiles(folder)
    await page.getByText(/^5,?000 files, /).waitFor()

    await page.evaluate('scrollTo({ top: 0, behavior: "instant" })')
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Create share' })
    await dialog.getByLabel('Link').fill(link)
    await dialog.getByRole('button', { name: 'Share', exact: true }).click()
    const list = page.getByRole('list', { name: 'Files being uploaded' })
    await page.getByText(/^[1-9]\d\d+ of 5,?000 files uploaded$/).waitFor({ timeout: TIMEOUT_MS })
    await page.mouse.wheel(0, 100_000)
    await expect.poll(() => page.evaluate<number>('scrollY')).toBeGreaterThan(50_000)
    await nextFrame(page)
    await expectCheapScrolling({ rowPx: 62 })
    // Files that are on their way elsewhere leave the ones in sight alone.
    const progress = page.getByText(/ of 5,?000 files uploaded$/)
    const { added, changed } = await watchRows(page, async () => {
      for (let tick = 0; tick < 3; tick += 1) {
        const before = await progress.textContent()
        await expect.poll(() => progress.textContent()).not.toBe(before)
      }
    })
    expect({ added, changed }).toEqual({ added: 0, changed: 0 })
    expect(await list.getByRole('listitem').first().getAttribute('aria-setsize')).toBe(`${FILES}`)
    await expectSmallPage()
    await finishShare(page, TIMEOUT_MS)
    const answer = await owner.context.request.get(`/api/shares/${link}/from-owner`)
    const { files } = (await answer.json()) as { files: { name: string }[] }
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
