// @vitest-environment jsdom
import type { SharedFile } from '@floe/contracts'
import { cleanup, fireEvent, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { ok } from '../../testing/api-server.ts'
import { type Page, renderPage } from '../../testing/render-page.tsx'
import { sampleFile, sampleShare } from '../../testing/samples.ts'
import { Page as ShareViewPage } from './pages/ShareViewPage.tsx'

const picture = (name: string, width = 600, height = 400): SharedFile => ({
  ...sampleFile(name),
  thumbnail: { width, height },
})

const pictures = [
  picture('view 1.jpg', 600, 400),
  picture('view 2.jpg', 400, 600),
  picture('view 10.jpg', 1_600, 400),
  picture('view 9.jpg', 100, 900),
]

beforeEach(() => window.localStorage.clear())

function open(files: SharedFile[]) {
  return renderPage(<ShareViewPage />, {
    at: '/share/holiday',
    path: '/share/:id',
    api: {
      'GET /api/shares/holiday': ok(sampleShare({ files })),
      'GET /api/shares/holiday/metaData': ok({ id: 'holiday', isZipReady: true }),
    },
  })
}

const tile = (page: Page, name: string) => page.findByRole('button', { name: `Preview ${name}` })
const ratioOf = (button: HTMLElement) => button.closest('li')?.style.getPropertyValue('--ratio')

describe('the gallery', () => {
  it('gives each place the shape of its picture, a panorama and a strip within bounds', async () => {
    const page = await open(pictures)
    expect(ratioOf(await tile(page, 'view 1.jpg'))).toBe('1.5')
    expect(Number(ratioOf(await tile(page, 'view 2.jpg')))).toBeCloseTo(2 / 3)
    expect(ratioOf(await tile(page, 'view 10.jpg'))).toBe('2')
    expect(ratioOf(await tile(page, 'view 9.jpg'))).toBe('0.6')
  })

  it('shows thumbnails, and an icon in place of one that is still being made', async () => {
    const page = await open([...pictures, sampleFile('late.jpg')])
    const image = (await tile(page, 'view 1.jpg')).querySelector('img')
    expect(image?.getAttribute('src')).toBe('/api/shares/holiday/files/id-view%201.jpg/thumbnail')
    const late = await tile(page, 'late.jpg')
    expect(late.querySelector('img')).toBeNull()
    expect(late.querySelector('svg')).toBeTruthy()
    expect(ratioOf(late)).toBe('1')
  })

  it('keeps the place of a thumbnail that cannot be loaded, with an icon', async () => {
    const page = await open(pictures)
    const button = await tile(page, 'view 1.jpg')
    const image = button.querySelector('img')
    if (!image) throw new Error('no picture')
    fireEvent.error(image)
    expect(button.querySelector('img')).toBeNull()
    expect(ratioOf(button)).toBe('1.5')
  })

  it('counts the pictures', async () => {
    const page = await open(pictures)
    await page.findByText('4 pictures')
  })

  it('takes the keyboard from each picture to its download and on to the next', async () => {
    const page = await open(pictures)
    const [first, second] = [await tile(page, 'view 1.jpg'), await tile(page, 'view 2.jpg')]
    first.focus()
    await page.user.tab()
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Download view 1.jpg')
    await page.user.tab()
    expect(document.activeElement).toBe(second)
    await page.user.keyboard('{Enter}')
    await page.findByRole('dialog', { name: 'view 2.jpg' })
  })

  it('has nothing on its pictures until somebody chooses, and then what is chosen', async () => {
    const page = await open(pictures)
    await tile(page, 'view 1.jpg')
    await page.press('Select')
    const boxes = await page.findAllByRole('checkbox')
    expect(boxes).toHaveLength(4)
    expect(page.queryByRole('link', { name: 'Download view 1.jpg' })).toBeNull()
    await page.user.click(page.getByRole('checkbox', { name: 'Select view 2.jpg' }))
    expect(page.getByRole('checkbox', { name: 'Select view 2.jpg', checked: true })).toBeTruthy()
    await page.findByRole('button', { name: 'Download 1 file' })
    await page.press('Cancel')
    await tile(page, 'view 2.jpg')
    expect(page.queryByRole('checkbox')).toBeNull()
  })

  it('goes through its files in the order of their numbers with the arrow keys', async () => {
    const page = await open(pictures)
    await page.user.click(await tile(page, 'view 10.jpg'))
    await page.findByRole('dialog', { name: 'view 10.jpg' })
    await page.user.keyboard('{ArrowRight}')
    expect(page.getByRole('dialog', { name: 'view 10.jpg' })).toBeTruthy()
    await page.user.keyboard('{ArrowLeft}')
    const dialog = within(await page.findByRole('dialog', { name: 'view 9.jpg' }))
    expect(dialog.getByRole('img', { name: 'view 9.jpg' }).getAttribute('src')).toBe(
      '/api/shares/holiday/files/id-view%209.jpg?download=false',
    )
    await page.user.keyboard('{Escape}')
    await expect.poll(() => page.queryByRole('dialog')).toBeNull()
  })
})

describe('the view of a folder', () => {
  const view = (page: Page, name: string) => page.findByRole('radio', { name })

  it('is a gallery where most files are pictures, and a list where few are', async () => {
    const many = await open([...pictures, sampleFile('notes.txt')])
    expect(await view(many, 'Gallery')).toHaveProperty('checked', true)
  })

  it('is a list where few files are pictures', async () => {
    const page = await open([picture('a.jpg'), sampleFile('b.txt'), sampleFile('c.txt')])
    expect(await view(page, 'List')).toHaveProperty('checked', true)
    expect(page.getByRole('table')).toBeTruthy()
  })

  it('leaves no choice where there are no pictures', async () => {
    const page = await open([...pictures, sampleFile('Papers/list.txt')])
    await page.user.click(await page.findByRole('button', { name: 'Open folder Papers' }))
    await within(page.getByRole('table')).findByText('list.txt')
    expect(page.queryByRole('radio', { name: 'List' })).toBeNull()
  })

  it('has small pictures as a list', async () => {
    const page = await open(pictures)
    await page.user.click(await view(page, 'List'))
    const row = page.getByRole('row', { name: /view 1\.jpg/ })
    expect(row.querySelector('img')?.getAttribute('src')).toMatch(/\/thumbnail$/)
  })

  it('stays as it was chosen at the next visit', async () => {
    const page = await open(pictures)
    await page.user.click(await view(page, 'List'))
    cleanup()
    const next = await open(pictures)
    expect(await view(next, 'List')).toHaveProperty('checked', true)
  })
})
