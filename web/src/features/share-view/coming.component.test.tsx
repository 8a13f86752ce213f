// @vitest-environment jsdom
import { within } from '@testing-library/react'
import type { ShareView } from '@floe/contracts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Handlers, ok, refuse } from '../../testing/api-server.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { sampleFile, sampleShare, sampleUser } from '../../testing/samples.ts'
import { Page as ShareViewPage } from './pages/ShareViewPage.tsx'

const SHARE = 'GET /api/shares/holiday'
const STATE = 'GET /api/shares/holiday/metaData'
/** The page asks again after two seconds. */
const soon = { timeout: 10_000 }

const open = (api: Handlers) =>
  renderPage(<ShareViewPage />, {
    ...{ at: '/share/holiday', path: '/share/:id', user: sampleUser() },
    api: { [STATE]: ok({ id: 'holiday', isZipReady: true }), ...api },
  })

/** Where the page has the browser save from, which jsdom cannot. */
function watchSaved(): string[] {
  const saved: string[] = []
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(this.getAttribute('href') ?? '')
  })
  onTestFinished(() => click.mockRestore())
  return saved
}

const here = [sampleFile('a.txt'), sampleFile('b.txt')]
const film = { name: 'film.mov', size: '6000', received: '3000' }
const later = ['d.txt', 'e.txt'].map((name) => ({ name, size: '1000', received: '0' }))
const halfway = (changes: Partial<ShareView> = {}) =>
  sampleShare({
    ...{ files: here, size: 2_000, isOwn: true },
    coming: { fileCount: 3, size: 8_000, received: 3_000, files: [film, ...later] },
    ...changes,
  })
const complete = () => sampleShare({ files: [...here, sampleFile('film.mov', 6_000)], size: 8_000 })

describe('a share whose files are still uploaded', () => {
  it('offers what is here, and shows what comes without anything to press', async () => {
    const page = await open({ [SHARE]: ok(halfway()) })
    await page.findByRole('link', { name: 'Download a.txt' })
    expect(page.getByText('5 files, 10 kB')).toBeTruthy()
    const row = await page.findByRole('row', { name: /film\.mov/ })
    const bar = within(row).getByRole('progressbar', { name: 'Progress of film.mov' })
    expect(bar).toHaveProperty('value', 50)
    expect(within(row).queryByRole('link')).toBeNull()
    expect(within(row).queryByRole('button')).toBeNull()
    expect(page.getByRole('row', { name: /d\.txt.*Waiting/ })).toBeTruthy()
    for (const name of ['Select', 'Edit share']) expect(page.queryByText(name)).toBeNull()
    expect(page.queryByText(/checksums/i)).toBeNull()
  })

  it('says how much has arrived, also to a screen reader', async () => {
    const page = await open({ [SHARE]: ok(halfway()) })
    const total = await page.findByRole('progressbar', { name: 'Total progress' })
    expect(total.getAttribute('aria-valuenow')).toBe('50')
    expect(page.getByText(/^5\skB of 10\skB$/)).toBeTruthy()
    expect(page.getByRole('status').textContent).toBe('2 of 5 files uploaded')
    page.api.handle({ [SHARE]: ok(halfway({ files: [...here, sampleFile('d.txt')] })) })
    await expect.poll(() => page.getByRole('status').textContent, soon).toMatch(/^3 of /)
  })

  it('offers no archive of a folder before all is there', async () => {
    const files = [sampleFile('a.txt'), sampleFile('papers/b.txt')]
    const page = await open({ [SHARE]: ok(halfway({ files })) })
    await page.findByRole('button', { name: 'Open folder papers' })
    expect(page.queryByRole('button', { name: /Download folder/ })).toBeNull()
    expect(page.queryByRole('link', { name: /Download folder/ })).toBeNull()
  })

  it('counts files whose names are not told', async () => {
    const coming = { fileCount: 4_998, size: 9_000, received: 0, files: [film] }
    const page = await open({ [SHARE]: ok(halfway({ coming })) })
    await page.findByText('2 of 5000 files uploaded', { selector: 'p' })
    expect(page.getByText(/4,997 more files are on their way\.|4997 more files/)).toBeTruthy()
  })

  it('says nothing of more files while the last step is still to come', async () => {
    const coming = { fileCount: 0, size: 0, received: 0, files: [] }
    const page = await open({ [SHARE]: ok(halfway({ coming })) })
    await page.findByText('2 of 2 files uploaded', { selector: 'p' })
    expect(page.queryByText(/on their way/)).toBeNull()
    await page.press('Download all')
    expect(page.queryByText(/Waiting for/)).toBeNull()
    await page.findByText('The download starts by itself. Keep this page open.')
  })

  it('is gone for those who look at it when it has ended', async () => {
    const page = await open({ [SHARE]: ok(halfway()) })
    await page.findByText('film.mov')
    page.api.handle({ [SHARE]: refuse(404, 'share_not_found') })
    await expect.poll(() => page.queryByText('Share not found'), soon).toBeTruthy()
    expect(page.queryByText('film.mov')).toBeNull()
  })
})

describe('Download all of a share whose files are still uploaded', () => {
  it('waits, says how much is missing, and starts by itself', async () => {
    const saved = watchSaved()
    const page = await open({ [SHARE]: ok(halfway()) })
    await page.user.click(await page.findByRole('button', { name: 'Download all' }))
    await page.findByText(/^Waiting for 3 more files \(5\skB\)$/)
    await page.findByText('The download starts by itself. Keep this page open.')
    expect(saved).toEqual([])
    page.api.handle({ [SHARE]: ok(complete()), [STATE]: ok({ id: 'holiday', isZipReady: true }) })
    await expect.poll(() => saved, soon).toEqual(['/api/shares/holiday/files/zip'])
    await page.findByText('The download has started')
    await page.findByRole('link', { name: 'Download all' })
  })

  it('waits for the archive, too, where that has to be prepared', async () => {
    const saved = watchSaved()
    const page = await open({ [SHARE]: ok(halfway()) })
    await page.user.click(await page.findByRole('button', { name: 'Download all' }))
    page.api.handle({ [SHARE]: ok(complete()), [STATE]: ok({ id: 'holiday', isZipReady: false }) })
    await expect.poll(() => page.queryByText('Preparing the archive'), soon).toBeTruthy()
    expect(saved).toEqual([])
    page.api.handle({ [SHARE]: ok(complete()), [STATE]: ok({ id: 'holiday', isZipReady: true }) })
    await expect.poll(() => saved, soon).toHaveLength(1)
  })

  it('can be taken back', async () => {
    const saved = watchSaved()
    const page = await open({ [SHARE]: ok(halfway()) })
    await page.user.click(await page.findByRole('button', { name: 'Download all' }))
    // Where the focus is, to be taken back by the keyboard alone.
    expect(document.activeElement?.textContent).toBe('Cancel')
    await page.user.keyboard('{Enter}')
    expect(document.activeElement?.textContent).toBe('Download all')
    page.api.handle({ [SHARE]: ok(complete()), [STATE]: ok({ id: 'holiday', isZipReady: true }) })
    await expect.poll(() => page.queryByRole('link', { name: 'Download all' }), soon).toBeTruthy()
    expect(saved).toEqual([])
  })

  it('saves the file itself where it is the only one', async () => {
    const saved = watchSaved()
    const coming = { fileCount: 1, size: 6_000, received: 3_000, files: [film] }
    const page = await open({ [SHARE]: ok(halfway({ name: null, files: [], size: 0, coming })) })
    await page.findByRole('heading', { name: 'film.mov' })
    await page.press('Download')
    await page.findByText(/^Waiting for 1 more file \(3\skB\)$/)
    const files = [sampleFile('film.mov', 6_000)]
    page.api.handle({ [SHARE]: ok(sampleShare({ files })) })
    await expect.poll(() => saved, soon).toEqual(['/api/shares/holiday/files/id-film.mov'])
  })
})
