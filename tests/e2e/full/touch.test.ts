import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { writeTree } from '../harness/files.ts'
import type { Visitor } from '../harness/journey.ts'
import { makeReverseShare } from '../harness/reverse-shares.ts'
import { nextFrame, watchRows } from '../harness/row-changes.ts'
import { makeShare } from '../harness/shares.ts'
import { useJourney } from '../harness/use-journey.ts'

const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
}

const journey = useJourney()
let phone: Visitor
let page: Page

beforeAll(async () => {
  phone = await journey.visitAsAdministrator(PHONE)
  page = phone.page
  const { request } = phone.context
  const files = { 'Photos/one.txt': 'one', 'notes.txt': 'Notes' }
  await makeShare(request, { id: 'voe', name: 'Fjord', description: 'For you', files })
  await makeReverseShare(request, { token: 'pouch' })
  await writeTree(journey.folder, { 'notes.txt': 'Notes' })
})

/**
 * What a finger can hardly hit: lower or narrower than 44 px. Links within a line of text are as
 * high as the line, a box is as large as its label, a field as large as its frame. Heads of tables
 * and inputs of files are only there for screen readers.
 */
const TOO_SMALL = `[...document.querySelectorAll('button, a[href], input, select, textarea')]
  .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .filter((element) => getComputedStyle(element).display !== 'inline')
  .filter((element) => !element.closest('thead, [type="file"]'))
  .flatMap((element) => {
    const isBox = element.matches('[type="checkbox"], [type="radio"]')
    const target = (isBox ? element.labels[0] : element.closest('.mantine-Input-wrapper')) ?? element
    const { width, height } = target.getBoundingClientRect()
    if (width >= 43.5 && height >= 43.5) return []
    const name = element.getAttribute('aria-label') ?? (element.innerText || element.className)
    return [element.tagName + ' ' + name + ' ' + width + '×' + height]
  })`

test('everything that is touched is at least 44 px wide and high', async () => {
  const found: string[] = []
  const judge = async (screen: string) => {
    const small = await page.evaluate<string[]>(TOO_SMALL)
    found.push(...small.map((one) => `${screen}: ${one}`))
  }
  const paths = ['/upload', '/account', '/account/shares', '/account/reverseShares', '/share/voe']
  const admin = ['/admin', '/admin/users', '/admin/shares', '/admin/audit', '/admin/config/share']
  for (const path of [...paths, '/share/voe/edit', ...admin]) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => page.locator('.mantine-Skeleton-root').count()).toBe(0)
    await judge(path)
  }
  await page.goto('/upload')
  await page.getByLabel('Files to upload').setInputFiles(join(journey.folder, 'notes.txt'))
  await page.getByRole('button', { name: 'Options' }).click()
  await page.getByRole('dialog', { name: 'Create share' }).getByLabel('Link').waitFor()
  await judge('options of a share')
  await page.goto('/upload')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await judge('menu')
  expect(found).toEqual([])
})

test('a phone takes photos with its camera, and tables are cards that fit', async () => {
  await page.goto('/upload')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Take a photo' }).click()
  const photo = await chooser
  expect(await photo.element().getAttribute('capture')).toBe('environment')
  expect(await photo.element().getAttribute('accept')).toBe('image/*')
  await photo.setFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('jpeg') })
  await page.getByText('photo.jpg').first().waitFor()

  for (const path of [
    '/account/shares',
    '/account/reverseShares',
    '/admin/users',
    '/admin/shares',
  ]) {
    await page.goto(path)
    const cell = page.locator('tbody td[data-label]').filter({ visible: true }).first()
    await cell.waitFor()
    const display: unknown = await cell.evaluate('(one) => getComputedStyle(one).display')
    expect(display, path).not.toBe('table-cell')
    expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(390)
  }

  const desk = await journey.visit()
  await desk.page.context().addCookies(await phone.context.cookies())
  await desk.open('/upload')
  await desk.page.getByRole('button', { name: 'Choose files' }).waitFor()
  await expect
    .poll(() => desk.page.getByRole('button', { name: 'Take a photo' }).isVisible())
    .toBe(false)
  await desk.leave()
})

test('a long list stays as high as it was while a finger moves through it', async () => {
  await page.goto('/upload')
  await page.getByLabel('Files to upload').setInputFiles(
    Array.from({ length: 300 }, (_, index) => ({
      name: `${index}.txt`,
      mimeType: 'text/plain',
      buffer: Buffer.from('Notes'),
    })),
  )
  await page.getByText('300 of 300 files uploaded').waitFor()
  const { added, pageHeights } = await watchRows(page, async () => {
    for (let step = 0; step < 10; step += 1) {
      await page.evaluate('scrollBy({ top: 200, behavior: "instant" })')
      await nextFrame(page)
    }
  })
  expect(added).toBeGreaterThan(20)
  expect(pageHeights).toHaveLength(1)
})

test('a dialog comes from the lower edge of a phone, with its buttons in sight', async () => {
  const sheet = page.getByRole('dialog')
  const bounds = async () => {
    const box = await sheet.boundingBox()
    return box && { left: box.x, right: box.x + box.width, bottom: box.y + box.height }
  }
  const edges = { left: 0, right: 390, bottom: 844 }
  await page.goto('/share/voe?folder=Photos')
  await page.getByRole('button', { name: 'Preview one.txt' }).tap()
  await expect.poll(bounds).toEqual(edges)
  await sheet.getByText('one', { exact: true }).waitFor()
  const download = await sheet.getByRole('link', { name: 'Download' }).boundingBox()
  expect((download?.y ?? 844) + (download?.height ?? 0)).toBeLessThan(edges.bottom)

  await page.goto('/account/shares')
  await page.getByRole('button', { name: 'Delete Fjord' }).tap()
  await expect.poll(bounds).toEqual(edges)
  const [cancel, remove] = await Promise.all(
    ['Cancel', 'Delete'].map((name) =>
      sheet.getByRole('button', { name, exact: true }).boundingBox(),
    ),
  )
  expect(cancel?.y).toBe(remove?.y)
  expect((cancel?.width ?? 0) + (remove?.width ?? 0)).toBeGreaterThan(300)
})
