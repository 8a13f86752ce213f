import { type SharedFile, shareViewSchema } from '@floe/contracts'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { paintPicture } from './harness/files.ts'
import type { Visitor } from './harness/journey.ts'
import { makeShare } from './harness/shares.ts'
import { useJourney } from './harness/use-journey.ts'

const shapes = [
  { width: 1200, height: 800 },
  { width: 800, height: 1200 },
  { width: 1000, height: 1000 },
  { width: 1600, height: 900 },
  { width: 900, height: 1200 },
  { width: 2000, height: 500 },
]
const skies = ['#f6b98a', '#9fd3e8', '#2b3b66', '#f19384']

const journey = useJourney()
let visitor: Visitor
let page: Page
const pictures: Record<string, Buffer> = {}

beforeAll(async () => {
  const painter = await journey.visit()
  for (let index = 0; index < 12; index += 1) {
    const { width = 0, height = 0 } = shapes[index % shapes.length] ?? {}
    const sky = skies[index % skies.length] ?? ''
    const name = `view ${index + 1}.jpg`
    pictures[name] = await paintPicture(painter.page, { width, height, sky, water: '#126689' })
  }
  await painter.leave()
  visitor = await journey.visit()
  page = visitor.page
})

const tile = (name: string) => page.getByRole('button', { name: `Preview ${name}`, exact: true })
const view = (name: 'Gallery' | 'List') => page.getByRole('radio', { name })

// Run in the page.
const isPainted = (button: { querySelector(selector: string): unknown }) => {
  const image = button.querySelector('img') as { complete: boolean; naturalWidth: number } | null
  return image !== null && image.complete && image.naturalWidth > 0
}

/** Of a picture. */
const numberOf = ({ name }: SharedFile) => Number(/^view (\d+)/.exec(name)?.[1] ?? 0)

async function ratioOf(locator: Locator) {
  const { width, height } = await boxOf(locator)
  return width / height
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error('it is not visible')
  return box
}

test('pictures show themselves as their thumbnails are made, each in its own shape', async () => {
  const owner = await journey.visitAsMember()
  const id = await makeShare(owner.context.request, {
    name: 'Views',
    files: { ...pictures, 'Papers/list.txt': 'a list', 'notes.txt': 'Notes' },
  })
  await owner.leave()
  await page.goto(`/s/${id}`)
  await page.getByText('12 pictures').waitFor({ timeout: 60_000 })
  await expect.poll(() => view('Gallery').isChecked()).toBe(true)
  for (const [name, expected] of [
    ['view 1.jpg', 1.5],
    ['view 2.jpg', 0.67],
    ['view 3.jpg', 1],
    ['view 4.jpg', 1.78],
  ] as const) {
    await expect.poll(() => tile(name).evaluate(isPainted), { timeout: 60_000 }).toBe(true)
    expect(await ratioOf(tile(name))).toBeCloseTo(expected, 1)
  }
  const [first, second] = [await boxOf(tile('view 1.jpg')), await boxOf(tile('view 2.jpg'))]
  expect(second.y, 'one row').toBeCloseTo(first.y, 0)
  expect(second.height, 'of one height').toBeCloseTo(first.height, 0)
})

test('a picture is waited for while others come, and stands in for itself until then', async () => {
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const api = `/api/shares/${id}`
  const fetchFiles = async () =>
    shareViewSchema.parse(await (await page.request.get(api)).json()).files
  const countMade = async () => (await fetchFiles()).filter(({ thumbnail }) => thumbnail).length
  await expect.poll(countMade, { timeout: 60_000 }).toBe(12)

  const late = await journey.visit()
  // As of a server that makes one more between each response and the next.
  let made = 5
  await late.page.route(`**${api}`, async (route) => {
    const response = await route.fetch()
    const share = shareViewSchema.parse(await response.json())
    const files = share.files.map((file) =>
      numberOf(file) > made ? { ...file, thumbnail: undefined } : file,
    )
    await route.fulfill({ response, json: { ...share, files } })
    made += 1
  })
  await late.page.clock.install()
  await late.open(`/s/${id}`)
  const last = late.page.getByRole('button', { name: 'Preview view 12.jpg', exact: true })
  await last.waitFor()
  expect(await ratioOf(last)).toBeCloseTo(1, 1)
  while (made <= 12) {
    const before = made
    await late.page.clock.runFor(16_000)
    await expect.poll(() => made).toBeGreaterThan(before)
  }
  // A panorama of 4 to 1 is shown as one of 2 to 1.
  await expect.poll(() => ratioOf(last)).toBeCloseTo(2, 1)
  await expect.poll(() => last.evaluate(isPainted)).toBe(true)
  await late.leave()
})

test('a place has its shape before its picture is there', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/thumbnail', async (route) => {
    await held
    await route.continue()
  })
  await page.reload()
  await tile('view 1.jpg').waitFor()
  const names = ['view 1.jpg', 'view 4.jpg', 'view 12.jpg']
  const before = await Promise.all(names.map((name) => boxOf(tile(name))))
  expect(await tile('view 1.jpg').evaluate(isPainted)).toBe(false)
  release()
  await expect.poll(() => tile('view 1.jpg').evaluate(isPainted)).toBe(true)
  expect(await Promise.all(names.map((name) => boxOf(tile(name))))).toEqual(before)
  await page.unroute('**/thumbnail')
})
