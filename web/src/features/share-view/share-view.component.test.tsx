// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { type Handlers, ok, refuse } from '../../testing/api-server.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { sampleFile, sampleShare, sampleUser } from '../../testing/samples.ts'
import { Page as ShareViewPage } from './pages/ShareViewPage.tsx'

const open = (api: Handlers, user = null as ReturnType<typeof sampleUser> | null) =>
  renderPage(<ShareViewPage />, { at: '/share/holiday', path: '/share/:id', api, user })

describe('a share', () => {
  it('is entered without a password where it has none, and shown', async () => {
    let isIn = false
    const page = await open({
      'GET /api/shares/holiday': (request) =>
        (isIn ? ok(sampleShare()) : refuse(403, 'share_token_required'))(request),
      'POST /api/shares/holiday/token': (request) => {
        isIn = true
        return ok({ token: 't' })(request)
      },
    })
    await page.findByRole('heading', { name: 'Holiday' })
    expect(page.getByText(/^1 file, 1 kB · This share expires on/)).toBeTruthy()
    expect(page.api.changes).toEqual([{ call: 'POST /api/shares/holiday/token', body: {} }])
  })

  it('offers its only file itself, and no archive', async () => {
    const page = await open({ 'GET /api/shares/holiday': ok(sampleShare()) })
    const download = await page.findByRole('link', { name: 'Download' })
    expect(download.getAttribute('href')).toBe('/api/shares/holiday/files/id-fjord.txt')
    expect(page.queryByText('Download all')).toBeNull()
  })

  it('is edited by its creator alone', async () => {
    const share = sampleShare({ creator: { username: 'mona' } })
    const owned = await open({ 'GET /api/shares/holiday': ok(share) }, sampleUser())
    await owned.findByRole('link', { name: 'Edit share' })
  })

  it('is not offered for editing to another account', async () => {
    const share = sampleShare({ creator: { username: 'nils' } })
    const page = await open({ 'GET /api/shares/holiday': ok(share) }, sampleUser())
    await page.findByRole('heading', { name: 'Holiday' })
    expect(page.queryByRole('link', { name: 'Edit share' })).toBeNull()
  })

  it('with a password has no links to single files', async () => {
    const page = await open({ 'GET /api/shares/holiday': ok(sampleShare({ hasPassword: true })) })
    await page.findByRole('heading', { name: 'Holiday' })
    expect(page.queryByRole('button', { name: 'Copy link of fjord.txt' })).toBeNull()
  })

  it('shows one folder at a time, and the way back', async () => {
    const files = [sampleFile('fjord.txt'), sampleFile('papers/bill.txt', 2_000)]
    const page = await open({
      'GET /api/shares/holiday': ok(sampleShare({ files })),
      'GET /api/shares/holiday/metaData': ok({ id: 'holiday', isZipReady: true }),
    })
    await page.user.click(await page.findByRole('button', { name: 'Open folder papers' }))
    expect(page.location()).toBe('/share/holiday?folder=papers')
    expect(page.getByText('bill.txt')).toBeTruthy()
    expect(page.queryByText('fjord.txt')).toBeNull()
    await page.user.click(page.getByRole('button', { name: 'All files' }))
    expect(page.getByText('fjord.txt')).toBeTruthy()
  })

  it('is sorted by name, and by size at a click and the other way at the next', async () => {
    const files = [sampleFile('b.txt', 10), sampleFile('a.txt', 30), sampleFile('c.txt', 20)]
    const page = await open({
      'GET /api/shares/holiday': ok(sampleShare({ files })),
      'GET /api/shares/holiday/metaData': ok({ id: 'holiday', isZipReady: true }),
    })
    await page.findByText('a.txt')
    const names = () => page.getAllByText(/^[abc]\.txt$/).map(({ textContent }) => textContent)
    expect(names()).toEqual(['a.txt', 'b.txt', 'c.txt'])
    await page.press('Size')
    expect(names()).toEqual(['b.txt', 'c.txt', 'a.txt'])
    await page.press('Size')
    expect(names()).toEqual(['a.txt', 'c.txt', 'b.txt'])
  })
})

describe('all files at once', () => {
  const files = [sampleFile('a.txt'), sampleFile('b.txt')]
  const withArchive = (state: object) =>
    open({
      'GET /api/shares/holiday': ok(sampleShare({ files })),
      'GET /api/shares/holiday/metaData': ok({ id: 'holiday', ...state }),
    })

  it('are a link once their archive is ready', async () => {
    const page = await withArchive({ isZipReady: true })
    const link = await page.findByRole('link', { name: 'Download all' })
    expect(link.getAttribute('href')).toBe('/api/shares/holiday/files/zip')
  })

  it('ask for patience while it is prepared, and say how far that is', async () => {
    const page = await withArchive({ isZipReady: false, progress: 0.456 })
    await page.user.click(await page.findByRole('button', { name: 'Preparing, 45%' }))
    await page.findByText('The share is being prepared, try again in a few minutes')
    expect(page.queryByRole('link', { name: 'Download all' })).toBeNull()
  })
})

describe('a share with a password', () => {
  const protectedShare = { 'GET /api/shares/holiday': refuse(403, 'share_password_required') }

  it('shows nothing before the password, which cannot be dismissed', async () => {
    const page = await open(protectedShare)
    await page.findByRole('dialog', { name: 'Password required' })
    await page.user.keyboard('{Escape}')
    expect(page.getByRole('dialog')).toBeTruthy()
    expect(page.queryByText('Holiday')).toBeNull()
  })

  it('opens with the right one', async () => {
    const page = await open(protectedShare)
    await page.findByRole('dialog')
    page.api.handle({
      'POST /api/shares/holiday/token': ok({ token: 't' }),
      'GET /api/shares/holiday': ok(sampleShare({ hasPassword: true })),
    })
    await page.fill('Password', 'sesame')
    await page.press('Open share')
    await page.findByRole('heading', { name: 'Holiday' })
    expect(page.api.changes).toEqual([
      { call: 'POST /api/shares/holiday/token', body: { password: 'sesame' } },
    ])
  })

  it('says that one is wrong until the next is typed', async () => {
    const page = await open({
      ...protectedShare,
      'POST /api/shares/holiday/token': refuse(403, 'wrong_password'),
    })
    await page.findByRole('dialog')
    await page.fill('Password', 'tahini')
    await page.press('Open share')
    await page.findByText('Invalid password')
    await page.fill('Password', 't')
    expect(page.queryByText('Invalid password')).toBeNull()
  })

  it('ends in the view limit where others were faster', async () => {
    const page = await open({
      ...protectedShare,
      'POST /api/shares/holiday/token': refuse(403, 'share_max_views_exceeded'),
    })
    await page.findByRole('dialog')
    await page.fill('Password', 'sesame')
    await page.press('Open share')
    await page.findByText('Visitor limit exceeded')
    expect(page.queryByRole('dialog')).toBeNull()
  })
})

describe('a share that cannot be shown', () => {
  it.each([
    [
      403,
      'share_max_views_exceeded',
      'Visitor limit exceeded',
      'This share has been opened as often as its owner allows.',
    ],
    [
      404,
      'share_not_found',
      'Share not found',
      'There is no share at this address. It may have expired.',
    ],
    [403, 'private_share', 'Private share', 'Only its owner can open this share.'],
    [500, 'internal', 'An unknown error occurred', 'The share could not be opened.'],
  ] as const)('%i %s reads %j', async (status, code, title, text) => {
    const page = await open({ 'GET /api/shares/holiday': refuse(status, code) })
    await page.findByRole('heading', { name: title })
    expect(page.getByText(text, { exact: false })).toBeTruthy()
  })

  it('and was removed gives the reason its remover wrote', async () => {
    const page = await open({
      'GET /api/shares/holiday': () => ({
        status: 404,
        body: { statusCode: 404, code: 'share_removed', message: 'It broke the rules.' },
      }),
    })
    await page.findByRole('heading', { name: 'Share removed' })
    expect(page.getByText('It broke the rules.')).toBeTruthy()
  })

  it('leads home, except after an outage, where it can be tried again', async () => {
    const gone = await open({ 'GET /api/shares/holiday': refuse(404, 'share_not_found') })
    expect((await gone.findByRole('link')).getAttribute('href')).toBe('/')
    expect(gone.queryByRole('button', { name: 'Try again' })).toBeNull()
  })
})
