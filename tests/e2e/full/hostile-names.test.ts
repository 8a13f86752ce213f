import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hostileNames } from '@floe/testing'
import type { Download, Locator, Page } from 'playwright-core'
import { beforeAll, expect, inject, test } from 'vitest'
import type { Visitor } from '../harness/journey.ts'
import { countRows, readRows, showRow } from '../harness/long-lists.ts'
import { makeShare } from '../harness/shares.ts'
import { useJourney } from '../harness/use-journey.ts'

/** Names without folders in them: all stand in one list. */
const names = hostileNames()
  .map(({ name }) => name)
  .filter((name) => !name.includes('/'))
const contentOf = (name: string) => createHash('sha256').update(name).digest('hex')
const deceptive = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

const journey = useJourney()
let owner: Visitor

beforeAll(async () => {
  owner = await journey.visitAsMember()
  const files = Object.fromEntries(names.map((name) => [name, contentOf(name)]))
  await makeShare(owner.context.request, { id: 'hostile', name: 'Hostile', files })
  await makeShare(owner.context.request, {
    id: 'folders',
    name: 'Folders',
    files: {
      'a\u202egpj.exe/<img src=x onerror=alert(1)>/x.txt': 'x',
      '../\n/..\\x.txt': 'y',
      '__proto__/constructor/z.txt': 'z',
    },
  })
})

/** A row's text and shape. */
const READ_ROW = `(row) => {
  const name = row.querySelector('bdi')
  return { text: name.textContent, height: row.getBoundingClientRect().height,
    elements: name.querySelectorAll('*').length }
}`

/** How far behind the first letter of the program's name its last one stands. */
const MEASURE = `(() => {
  const names = [...document.querySelectorAll('tbody bdi')]
  const text = names.find((name) => name.textContent.endsWith('fdp.exe')).firstChild
  const place = (index) => {
    const range = document.createRange()
    range.setStart(text, index)
    range.setEnd(text, index + 1)
    return range.getBoundingClientRect().left
  }
  return place(text.length - 1) - place(0)
})()`

interface Row {
  text: string
  height: number
  elements: number
}

async function openList(page: Page): Promise<void> {
  await page.goto('/share/hostile')
  await page.getByRole('table').waitFor()
  expect(await countRows(page)).toBe(names.length)
}

test('every name stands in its row as text, in order and on one line', async () => {
  const { page, leave } = await journey.visit()
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    dialog.dismiss().catch(() => undefined)
  })
  await openList(page)
  const rows = await readRows<Row>(page, READ_ROW)
  expect(rows).toHaveLength(names.length)
  const usual = Math.min(...rows.map(({ height }) => height))
  for (const { text, height, elements } of rows) {
    expect(text).not.toMatch(deceptive)
    expect(text.trim()).not.toBe('')
    expect(elements, text).toBe(0)
    // Fonts of other scripts are taller; a second line would double it.
    expect(height, text).toBeLessThan(usual * 1.6)
  }
  const texts = new Set(rows.map(({ text }) => text))
  for (const name of names.filter((one) => !deceptive.test(one) && one.trim() === one)) {
    if (/[^\s\p{Default_Ignorable_Code_Point}\u2800]/u.test(name)) expect(texts).toContain(name)
  }
  expect(texts).toContain('invoice\ufffdfdp.exe')
  expect(dialogs).toEqual([])
  await leave()
})

test('a program cannot pass for a picture: what ends its name is what ends its row', async () => {
  const { page, leave } = await journey.visit()
  await openList(page)
  const rows = await readRows<Row>(page, READ_ROW)
  await showRow(
    page,
    rows.findIndex(({ text }) => text === 'invoice\ufffdfdp.exe'),
  )
  const offset = await page.evaluate<number>(MEASURE)
  expect(offset).toBeGreaterThan(50)
  await page.getByRole('button', { name: 'invoice\ufffdfdp.exe', exact: true }).click()
  await page.getByText('Preview not supported').waitFor()
  await leave()
})

test('folders with hostile names open and lead back', async () => {
  const { page, leave } = await journey.visit()
  await page.goto('/share/folders')
  for (const steps of [
    ['a\ufffdgpj.exe', '<img src=x onerror=alert(1)>', 'x.txt'],
    ['..', '\u240a', '..\\x.txt'],
    ['__proto__', 'constructor', 'z.txt'],
  ]) {
    const [first = '', second = '', file = ''] = steps
    await page.getByRole('button', { name: `Open folder ${first}`, exact: true }).click()
    await page.getByRole('button', { name: `Open folder ${second}`, exact: true }).click()
    await page.getByRole('button', { name: file, exact: true }).waitFor()
    await page.getByRole('navigation').getByRole('button', { name: 'All files' }).click()
  }
  await leave()
})

/** On a busy machine a row may still be moving to its place under the click: once more then. */
async function save(page: Page, link: Locator): Promise<Download> {
  for (const timeout of [8_000, 20_000]) {
    const download = page.waitForEvent('download', { timeout }).catch(() => null)
    await link.click()
    const saved = await download
    if (saved) return saved
  }
  throw new Error('a click on Download saves nothing')
}

test('the browser saves each file byte for byte, under a name that stays in its folder', async () => {
  const { page, leave } = await journey.visit()
  await openList(page)
  const rows = await readRows<Row>(page, READ_ROW)
  const step = inject('isThorough') ? 3 : 30
  const contents = new Set<string>()
  for (let index = 0; index < names.length; index += step) {
    const link = (await showRow(page, index)).getByRole('link', { name: /^Download / })
    const saved = await save(page, link)
    const name = saved.suggestedFilename()
    expect(name).not.toMatch(deceptive)
    expect(name).toMatch(/^(?!\.{1,2}$)[^/\\]+$/)
    contents.add(await readFile(await saved.path(), 'utf8'))
  }
  expect(contents.size).toBe(Math.ceil(rows.length / step))
  const known = new Set(names.map(contentOf))
  expect([...contents].filter((content) => !known.has(content))).toEqual([])
  await leave()
})
