// @vitest-environment jsdom
import { cleanup, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Handlers, ok, refuse } from '../../testing/api-server.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { sampleFile, sampleShare, sampleUser } from '../../testing/samples.ts'
import { Page as ShareViewPage } from './pages/ShareViewPage.tsx'

const open = (api: Handlers, user = null as ReturnType<typeof sampleUser> | null) =>
  renderPage(<ShareViewPage />, { at: '/share/holiday', path: '/share/:id', api, user })

/** Where the page has the browser save from, which jsdom cannot. */
function watchSaved(): () => string[] {
  const saved: string[] = []
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(this.getAttribute('href') ?? '')
  })
  onTestFinished(() => click.mockRestore())
  return () => saved
}

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
    expect(page.getByText('1 file, 1 kB')).toBeTruthy()
    expect(page.api.changes).toEqual([{ call: 'POST /api/shares/holiday/token', body: {} }])
  })

  it('offers its only file itself, and no archive', async () => {
    const page = await open({ 'GET /api/shares/holiday': ok(sampleShare()) })
    const download = await page.findByRole('link', { name: 'Download' })
    expect(download.getAttribute('href')).toBe('/api/shares/holiday/files/id-fjord.txt')
    expect(page.queryByText('Download all')).toBeNull()
  })

  it('that is encrypted shows the command that opens its whole link, or what the link lacks', async () => {
    const encrypted = { 'GET /api/shares/holiday': ok(sampleShare({ encrypted: true })) }
    const fragment = `#k=${'A'.repeat(43)}`
    window.history.replaceState(null, '', `/share/holiday${fragment}`)
    onTestFinished(() => window.history.replaceState(null, '', '/'))
    const page = await open(encrypted)
    await page.findByRole('heading', { name: 'This share is encrypted' })
    const command = page.getByRole<HTMLTextAreaElement>('textbox', { name: 'Command line' })
    expect(command.value).toBe(`floe get '${window.location.href}'`)
    expect(command.value).toContain(fragment)
    expect(page.queryByText('fjord.txt')).toBeNull()
    cleanup()
    window.history.replaceState(null, '', '/share/holiday')
    const without = await open(encrypted)
    await without.findByText(/The link lacks its key/)
    expect(without.queryByRole('textbox', { name: 'Command line' })).toBeNull()
  })

  it('has links at the web addresses of its description, and no markup', async () => {
    const description = 'Map: https://maps.example/a. <b>javascript:alert(1)</b>'
    const page = await open({ 'GET /api/shares/holiday': ok(sampleShare({ description })) })
    const link = await page.findByRole('link', { name: 'https://maps.example/a' })
    expect(link.getAttribute('rel')).toBe('noopener noreferrer nofollow')
    expect(link.parentElement?.textContent).toBe(description)
  })

  it('is edited by its creator alone', async () => {
    const share = sampleShare({ isOwn: true })
    const owned = await open({ 'GET /api/shares/holiday': ok(share) }, sampleUser())
    await owned.findByRole('link', { name: 'Edit share' })
  })

  it('without a name is called by its only file, or by how many there are and from whom', async () => {
    const creator = { username: 'nils' }
    const one = await open({ 'GET /api/shares/holiday': ok(sampleShare({ name: null, creator })) })
    await one.findByRole('heading', { name: 'fjord.txt' })
    cleanup()
    const files = [sampleFile('a.txt'), sampleFile('b.txt')]
    const several = await open({
      'GET /api/shares/holiday': ok(sampleShare({ name: null, creator, files })),
      'GET /api/shares/holiday/metaData': ok({ id: 'holiday', isZipReady: true }),
    })
    await several.findByRole('heading', { name: '2 files from nils' })
    expect(several.queryByText(/Sent by/)).toBeNull()
  })

  it('opens its only folder by itself, with nothing above it', async () => {
    const files = [sampleFile('Papers/a.txt'), sampleFile('Papers/old/b.txt')]
    const page = await open({
      'GET /api/shares/holiday': ok(sampleShare({ name: null, files })),
      'GET /api/shares/holiday/metaData': ok({ id: 'holiday', isZipReady: true }),
    })
    await page.findByRole('heading', { name: 'Papers' })
    expect(page.getByText('a.txt')).toBeTruthy()
    expect(page.queryByRole('navigation')).toBeNull()
    await page.user.click(page.getByRole('button', { name: 'Open folder old' }))
    await page.findByText('b.txt')
    await page.user.click(page.getByRole('button', { name: 'Papers' }))
    await page.findByText('a.txt')
    expect(page.location()).toBe('/share/holiday')
  })

  it('says in words when it ends, and tells the date to who points at that', async () => {
    const page = await open({ 'GET /api/shares/holiday': ok(sampleShare()) })
    const end = await page.findByText('Expires in 30 days')
    expect(end.getAttribute('title')).toMatch(/ at /)
  })

  it('lets visitors choose language and colours, which others have on their account page', async () => {
    const visited = await open({ 'GET /api/shares/holiday': ok(sampleShare()) })
    const scheme = await visited.findByRole('combobox', { name: 'Color scheme' })
    await visited.user.selectOptions(scheme, 'dark')
    expect(document.cookie).toContain('mantine-color-scheme=dark')
    await visited.user.selectOptions(scheme, 'system')
    const language = visited.getByRole('combobox', { name: 'Language' })
    expect(within(language).getByRole('option', { name: 'Deutsch' })).toBeTruthy()
    cleanup()
    const member = await open({ 'GET /api/shares/holiday': ok(sampleShare()) }, sampleUser())
    await member.findByRole('heading', { name: 'Holiday' })
    expect(member.queryByRole('combobox')).toBeNull()
  })

  it('says who sent it, where the sender wishes so', async () => {
    const share = sampleShare({ creator: { username: 'nils' } })
    const named = await open({ 'GET /api/shares/holiday': ok(share) })
    await named.findByText('Sent by nils')
  })

  it('is not offered for editing to another account', async () => {
    const share = sampleShare({ creator: { username: 'mona' } })
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

describe('a share of a single file', () => {
  const openOnly = (file: ReturnType<typeof sampleFile>) =>
    open({ 'GET /api/shares/holiday': ok(sampleShare({ files: [file] })) })
  const sourceOf = (element: Element) => element.getAttribute('src')

  it('shows a picture, a film or a sound, which loads no more than it plays', async () => {
    const picture = await openOnly(sampleFile('view.jpg'))
    const address = (name: string) => `/api/shares/holiday/files/id-${name}?download=false`
    expect(sourceOf(await picture.findByRole('img', { name: 'view.jpg' }))).toBe(
      address('view.jpg'),
    )
    expect(picture.queryByRole('columnheader')).toBeNull()
    for (const [name, tag] of [
      ['film.mp4', 'video'],
      ['memo.mp3', 'audio'],
    ] as const) {
      cleanup()
      await openOnly(sampleFile(name, 5_000_000_000))
      await expect.poll(() => document.querySelector(tag)).toBeTruthy()
      const player = document.querySelector(tag)
      expect([player?.getAttribute('src'), player?.preload]).toEqual([address(name), 'metadata'])
    }
  })

  it('asks before it loads a large picture or document', async () => {
    const page = await openOnly(sampleFile('scan.pdf', 60_000_000))
    expect(document.querySelector('iframe')).toBeNull()
    await page.user.click(await page.findByRole('button', { name: /^Show preview \(60\sMB\)$/ }))
    await expect.poll(() => document.querySelector('iframe')?.title).toBe('scan.pdf')
  })

  it('lists what cannot be shown', async () => {
    const page = await openOnly(sampleFile('archive.tar.xz'))
    await page.findByRole('columnheader', { name: 'Name' })
    expect(page.queryByText('Preview not supported')).toBeNull()
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

describe('a part of a share', () => {
  const ids = ['a', 'b', 'c', 'd'].map((digit) => `6f7c2c0e-0a51-4d8f-9a53-0f6f2a2f8f1${digit}`)
  const names = ['a.txt', 'b.txt', 'old papers/1.txt', 'old papers/2.txt']
  const files = names.map((name, at) => ({ ...sampleFile(name), id: ids[at] ?? '' }))
  const openReady = (isZipReady = true) =>
    open({
      'GET /api/shares/holiday': ok(sampleShare({ files })),
      'GET /api/shares/holiday/metaData': ok({ id: 'holiday', isZipReady }),
      'POST /api/shares/holiday/files/selection': ok({ selection: 'AbC-_' }),
    })
  const folderAddress = '/api/shares/holiday/files/zip?folder=old%20papers'

  it('is a folder that is downloaded from its row, and from within', async () => {
    const page = await openReady()
    const link = () => page.findByRole('link', { name: 'Download folder old papers' })
    expect((await link()).getAttribute('href')).toBe(folderAddress)
    await page.user.click(page.getByRole('button', { name: 'Open folder old papers' }))
    expect((await link()).getAttribute('href')).toBe(folderAddress)
  })

  it('asks for patience while archives are being prepared', async () => {
    const page = await openReady(false)
    await page.user.click(await page.findByRole('button', { name: 'Download folder old papers' }))
    await page.findByText('The share is being prepared, try again in a few minutes')
  })

  it('is files that are chosen in several folders and saved as one archive', async () => {
    const saved = watchSaved()
    const page = await openReady()
    await page.findByText('a.txt')
    await page.press('Select')
    await page.user.click(await page.findByRole('checkbox', { name: 'Select b.txt' }))
    await page.user.click(page.getByRole('button', { name: 'Open folder old papers' }))
    await page.user.click(await page.findByRole('checkbox', { name: 'Select 2.txt' }))
    await page.findByText(/^2 files, 2 kB$/)
    await page.press('Download 2 files')
    await expect.poll(() => saved()).toEqual(['/api/shares/holiday/files/zip?selection=AbC-_'])
    expect(page.api.changes).toEqual([
      {
        call: 'POST /api/shares/holiday/files/selection',
        body: { files: [ids[1], ids[3]] },
      },
    ])
    expect(page.queryByRole('checkbox')).toBeNull()
  })

  it('is a single chosen file as it is', async () => {
    const saved = watchSaved()
    const page = await openReady()
    await page.findByText('a.txt')
    await page.press('Select')
    const download = await page.findByRole('button', { name: 'Download 0 files' })
    expect(download).toHaveProperty('disabled', true)
    const box = await page.findByRole('checkbox', { name: 'Select a.txt' })
    await page.user.click(box)
    await page.user.click(page.getByRole('checkbox', { name: 'Select b.txt' }))
    await page.user.click(box)
    expect(box.getAttribute('aria-checked')).toBe('false')
    await page.press('Download 1 file')
    await expect.poll(() => saved()).toEqual([`/api/shares/holiday/files/${ids[1]}`])
    expect(page.api.changes).toEqual([])
  })

  it('is forgotten when the choice is given up', async () => {
    const page = await openReady()
    await page.findByText('a.txt')
    await page.press('Select')
    await page.user.click(await page.findByRole('checkbox', { name: 'Select a.txt' }))
    await page.press('Cancel')
    expect(page.queryByRole('checkbox')).toBeNull()
    await page.press('Select')
    await page.findByRole('button', { name: 'Download 0 files' })
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

  it('that is encrypted is not asked for it where the browser could not decrypt', async () => {
    window.history.replaceState(null, '', `/share/holiday#k=${'A'.repeat(43)}&p=1`)
    onTestFinished(() => window.history.replaceState(null, '', '/'))
    const page = await open(protectedShare)
    const command = await page.findByRole<HTMLTextAreaElement>('textbox', { name: 'Command line' })
    expect(command.value).toBe(`floe get '${window.location.href}'`)
    expect(page.queryByRole('dialog')).toBeNull()
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

  it('asks for one where none was typed', async () => {
    const page = await open(protectedShare)
    await page.findByRole('dialog')
    await page.press('Open share')
    expect(page.getByText('This field is required')).toBeTruthy()
    await page.fill('Password', 't')
    expect(page.queryByText('This field is required')).toBeNull()
    expect(page.api.changes).toEqual([])
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
    await expect.poll(() => page.queryByText('Invalid password')).toBeNull()
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

  it('and waits for the virus scan opens by itself once the response says to ask again', async () => {
    const page = await open({
      'GET /api/shares/holiday': refuse(503, 'share_being_scanned', { 'Retry-After': '1' }),
    })
    const title = { name: 'Virus scan in progress' }
    await page.findByRole('heading', title)
    expect(page.getByText(/the share opens here by itself/)).toBeTruthy()
    expect(page.getByRole('button', { name: 'Try again' })).toBeTruthy()
    const asked = () => page.api.calls.filter((call) => call === 'GET /api/shares/holiday').length
    const before = asked()
    await expect.poll(asked, { timeout: 5_000 }).toBeGreaterThan(before + 1)
    expect(page.getByRole('heading', title)).toBeTruthy()
    page.api.handle({ 'GET /api/shares/holiday': ok(sampleShare()) })
    await page.findByRole('heading', { name: 'Holiday' }, { timeout: 5_000 })
    expect(page.queryByRole('heading', title)).toBeNull()
  })

  it('says that it waits while the next response is on its way', async () => {
    const page = await open({
      'GET /api/shares/holiday': refuse(503, 'share_being_scanned', { 'Retry-After': '1' }),
    })
    const heading = () => page.queryByRole('heading', { name: 'Virus scan in progress' })
    await expect.poll(heading).toBeTruthy()
    let isAsked = false
    page.api.handle({
      'GET /api/shares/holiday': () => {
        isAsked = true
        return new Promise(() => undefined)
      },
    })
    await expect.poll(() => isAsked, { timeout: 5_000 }).toBe(true)
    expect(heading()).toBeTruthy()
  })

  it('leads home, except after an outage, where it can be tried again', async () => {
    const gone = await open({ 'GET /api/shares/holiday': refuse(404, 'share_not_found') })
    expect((await gone.findByRole('link')).getAttribute('href')).toBe('/')
    expect(gone.queryByRole('button', { name: 'Try again' })).toBeNull()
  })
})
