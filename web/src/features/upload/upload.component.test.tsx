// @vitest-environment jsdom
import { within } from '@testing-library/react'
import type { Settings, ShareReceipt, StorageStatus, UserView } from '@floe/contracts'
import { describe, expect, it } from 'vitest'
import { type Handlers, ok, refuse } from '../../testing/api-server.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { sampleReverseShareView, sampleUser } from '../../testing/samples.ts'
import { CompletedDialog } from './components/CompletedDialog.tsx'
import { CreateShareDialog } from './components/CreateShareDialog.tsx'
import { SendDialog } from './components/SendDialog.tsx'
import { TextFileDialog } from './components/TextFileDialog.tsx'
import { Page as ReverseUploadPage } from './pages/ReverseUploadPage.tsx'
import { Page as UploadPage } from './pages/UploadPage.tsx'

const receipt = {
  id: 'holiday',
  name: null,
  expiration: '2031-05-06T12:00:00.000Z',
  description: null,
}

interface Options {
  api?: Handlers
  settings?: Partial<Settings>
  user?: UserView | null
}

async function openOptions({ api = {}, settings = {}, user = sampleUser() }: Options = {}) {
  const created: ShareReceipt[] = []
  const dialog = (
    <CreateShareDialog
      opened
      onClose={() => undefined}
      onCreated={(share) => created.push(share)}
    />
  )
  const page = await renderPage(dialog, {
    api: { 'POST /api/shares': ok(receipt), ...api },
    settings,
    user,
  })
  return { page, created }
}

describe('the options of a share', () => {
  it.each([
    ['ab', 'Must be at least 3 characters'],
    ['a'.repeat(51), 'Must be at most 50 characters'],
    ['not a link', 'Can only contain letters, numbers, underscores, and hyphens'],
  ])('say why the link cannot be %j', async (id, message) => {
    const { page } = await openOptions()
    await page.fill('Link', id)
    await page.press('Share')
    expect(page.getByText(message)).toBeTruthy()
    expect(page.api.changes).toEqual([])
  })

  it.each([
    [true, 'This link is free'],
    [false, 'This link is already in use'],
  ])('tell while it is typed whether a link is free (%s)', async (isAvailable, text) => {
    const { page } = await openOptions({
      api: { 'GET /api/shares/isShareIdAvailable/holiday': ok({ isAvailable }) },
    })
    await page.fill('Link', 'holiday')
    await page.findByText(text)
  })

  it('show a taken link at its field', async () => {
    const { page, created } = await openOptions({
      api: { 'POST /api/shares': refuse(409, 'share_id_taken') },
    })
    await page.fill('Link', 'holiday')
    await page.press('Share')
    await page.findByText('This link is already in use')
    expect(page.field('Link').getAttribute('aria-invalid')).toBe('true')
    expect(created).toEqual([])
  })

  it('make another link at a click, of the length that is set', async () => {
    const { page } = await openOptions({ settings: { 'share.shareIdLength': 12 } })
    const link = () => page.field('Link').getAttribute('value') ?? ''
    const before = link()
    await page.press('Generate')
    expect(link()).not.toBe(before)
    expect(link()).toHaveLength(12)
  })
})

describe('the end and the security of a share', () => {
  it('offer no end beyond the longest that is allowed, and not never', async () => {
    const { page } = await openOptions({ settings: { 'share.maxExpiration': 48 } })
    expect(page.queryByLabelText('Never expires')).toBeNull()
    await page.fill('Expires in', '3')
    expect(page.getByText(/^Expiration exceeds maximum expiration date of/)).toBeTruthy()
    await page.press('Share')
    expect(page.api.changes).toEqual([])
  })

  it('allow a share that never expires where there is no longest', async () => {
    const { page, created } = await openOptions({ settings: { 'share.maxExpiration': 0 } })
    await page.user.click(page.getByLabelText('Never expires'))
    expect(page.getByText('This share never expires')).toBeTruthy()
    expect(page.field('Expires in')).toHaveProperty('disabled', true)
    await page.press('Share')
    await expect.poll(() => created).toEqual([receipt])
    expect(page.api.changes[0]?.body).toMatchObject({ expiration: 'never' })
  })

  it.each([
    ['Password', 'ab', 'Must be at least 3 characters'],
    ['Password', 'a'.repeat(31), 'Must be at most 30 characters'],
  ])('say why the %s cannot be %j', async (label, text, message) => {
    const { page } = await openOptions()
    await page.press('Security options')
    await page.fill(label, text)
    await page.press('Share')
    expect(page.getByText(message)).toBeTruthy()
    expect(page.api.changes).toEqual([])
  })

  it('are sent as they were chosen', async () => {
    const { page, created } = await openOptions({ settings: { 'share.maxExpiration': 0 } })
    await page.fill('Link', 'holiday')
    await page.fill('Expires in', '3')
    await page.user.selectOptions(page.getByLabelText('Unit'), 'Weeks')
    await page.press('Name and description')
    await page.fill('Name', 'Holiday')
    await page.fill('Description', 'With skis')
    await page.press('Security options')
    await page.fill('Password', 'sesame')
    await page.fill('Maximum views', '9')
    await page.press('Share')
    await expect.poll(() => created).toEqual([receipt])
    expect(page.api.changes[0]?.body).toMatchObject({
      id: 'holiday',
      name: 'Holiday',
      description: 'With skis',
      expiration: '3-weeks',
      security: { password: 'sesame', maxViews: 9 },
    })
  })
})

describe('what the options of a share ask for', () => {
  it('warn visitors without an account, and only them', async () => {
    const { page } = await openOptions({ user: null })
    expect(page.getByText('You are not signed in')).toBeTruthy()
  })

  it.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
  ])(
    'ask for recipients where mails (%s) and recipients (%s) are on: %s',
    async (mails, recipients, asks) => {
      const { page } = await openOptions({
        settings: { 'smtp.enabled': mails, 'email.enableShareEmailRecipients': recipients },
      })
      expect(page.queryByRole('button', { name: 'Email recipients' }) !== null).toBe(asks)
      expect(page.queryByLabelText('Email me when it is downloaded') !== null).toBe(mails)
    },
  )

  it('refuse recipients that are no addresses', async () => {
    const { page } = await openOptions({
      settings: { 'smtp.enabled': true, 'email.enableShareEmailRecipients': true },
    })
    await page.press('Email recipients')
    await page.user.click(page.field('Recipients'))
    await page.user.keyboard('nobody{Enter}')
    await page.press('Share')
    expect(page.getByText('Invalid email address')).toBeTruthy()
    expect(page.api.changes).toEqual([])
  })
})

describe('a finished share', () => {
  it('shows its link, its end and, at a click, its code', async () => {
    let isDone = false
    const page = await renderPage(
      <CompletedDialog receipt={receipt} onDone={() => (isDone = true)} />,
      { settings: { 'general.appUrl': 'https://floe.example' } },
    )
    expect(page.getByText('Your share is ready')).toBeTruthy()
    expect(page.getByDisplayValue('https://floe.example/s/holiday')).toBeTruthy()
    expect(page.getByText(/^This share expires on .*2031/)).toBeTruthy()
    await page.press('Show QR code')
    await page.findByRole('img', { name: 'QR code of the share link' })
    await page.press('Done')
    expect(isDone).toBe(true)
  })

  it.each([
    [true, 'The receiver has been notified by email.'],
    [false, 'The receiver can see them now.'],
  ])('that was sent to somebody says whether they were told (%s)', async (isTold, text) => {
    const page = await renderPage(
      <CompletedDialog
        receipt={{ ...receipt, notifyReverseShareCreator: isTold }}
        onDone={() => undefined}
      />,
      { api: { 'GET /api/shares/holiday': refuse(403, 'private_share') } },
    )
    expect(page.getByText(text)).toBeTruthy()
  })
})

describe('a written text', () => {
  async function open(takenNames: string[] = []) {
    const files: File[] = []
    const page = await renderPage(
      <TextFileDialog
        text=""
        takenNames={takenNames}
        onClose={() => undefined}
        onFile={(file) => files.push(file)}
      />,
    )
    return { page, files }
  }

  it.each([
    ['a/b.txt', 'Contains characters that cannot be used'],
    ['', 'This field is required'],
    ['taken.txt', 'A file of this name has been chosen already'],
    ['é'.repeat(200), 'The name of this file is too long.'],
  ])('cannot be called %j', async (name, message) => {
    const { page, files } = await open(['taken.txt'])
    await page.fill('File name', name)
    await page.fill('Text', 'Hello')
    await page.press('Add')
    expect(page.getByText(message)).toBeTruthy()
    expect(files).toEqual([])
  })

  it('becomes a file', async () => {
    const { page, files } = await open()
    await page.fill('File name', 'hello.txt')
    await page.fill('Text', 'Hello')
    await page.press('Add')
    expect(files.map(({ name, size }) => [name, size])).toEqual([['hello.txt', 5]])
  })
})

describe('the choice of files', () => {
  const unfinished = { 'GET /api/uploads': ok([]) }
  const render = (settings: Partial<Settings> = {}, api: Handlers = {}) =>
    renderPage(<UploadPage />, { settings, api: { ...unfinished, ...api }, user: sampleUser() })

  const file = (name: string, bytes = 10) => new File(['x'.repeat(bytes)], name)

  it('takes no more than a share may hold', async () => {
    const page = await render({ 'share.maxSize': 1_000 })
    await page.user.upload(page.getByLabelText('Files to upload'), [file('big.bin', 1_001)])
    await page.findByText('Your files exceed the maximum share size of 1 kB')
    expect(page.queryByText('big.bin')).toBeNull()
  })

  it('can be shared once there is a file', async () => {
    const page = await render()
    expect(page.getByRole('button', { name: 'Share' })).toHaveProperty('disabled', true)
    await page.user.upload(page.getByLabelText('Files to upload'), [file('a.txt')])
    await page.findByText('a.txt')
    expect(page.getByRole('button', { name: 'Share' })).toHaveProperty('disabled', false)
  })

  it('gives a file back to its place that was taken out', async () => {
    const page = await render()
    const files = [file('a.txt'), file('b.txt'), file('c.txt')]
    await page.user.upload(page.getByLabelText('Files to upload'), files)
    const names = () => page.getAllByText(/^[abc]\.txt$/).map(({ textContent }) => textContent)
    await page.findByText('b.txt')
    await page.press('Remove b.txt')
    expect(names()).toEqual(['a.txt', 'c.txt'])
    await page.user.click(await page.findByRole('button', { name: 'Undo' }))
    expect(names()).toEqual(['a.txt', 'b.txt', 'c.txt'])
  })

  it('gives all of them back that were removed at once', async () => {
    const page = await render()
    await page.user.upload(page.getByLabelText('Files to upload'), [file('a.txt'), file('b.txt')])
    await page.user.click(await page.findByRole('button', { name: 'Remove all' }))
    expect(page.queryByText('a.txt')).toBeNull()
    await page.user.click(await page.findByRole('button', { name: 'Undo' }))
    expect(page.getByText('2 files, 20 B')).toBeTruthy()
  })

  it('offers them no more once another was chosen: together they could be too much', async () => {
    const page = await render()
    const input = page.getByLabelText('Files to upload')
    await page.user.upload(input, [file('a.txt'), file('b.txt')])
    await page.user.click(await page.findByRole('button', { name: 'Remove all' }))
    await page.findByRole('button', { name: 'Undo' })
    await page.user.upload(page.getByLabelText('Files to upload'), [file('c.txt')])
    await page.findByText('c.txt')
    await expect.poll(() => page.queryByRole('button', { name: 'Undo' })).toBeNull()
  })
})

describe('the storage of an account', () => {
  const render = (storage: StorageStatus) =>
    renderPage(<UploadPage />, {
      user: sampleUser(),
      api: { 'GET /api/uploads': ok([]), 'GET /api/users/me/storage': ok(storage) },
    })
  const limited = { usedBytes: 600_000, limitBytes: 1_000_000, leftBytes: 400_000 }

  it('stands on the upload page with what is left of it', async () => {
    const page = await render(limited)
    await page.findByText('400 kB of 1 MB left')
    const meter = page.getByRole('progressbar', { name: 'Storage used' })
    expect(meter.getAttribute('aria-valuenow')).toBe('60')
  })

  it('stands there as what is left on the server, where that is less known', async () => {
    const page = await render({ usedBytes: 600_000, limitBytes: null, leftBytes: 400_000 })
    await page.findByText('400 kB left')
    expect(page.queryByRole('progressbar')).toBeNull()
  })

  it('is not mentioned where there is no limit', async () => {
    const page = await render({ usedBytes: 600_000, limitBytes: null, leftBytes: null })
    await expect.poll(() => page.api.calls).toContain('GET /api/users/me/storage')
    expect(page.queryByText(/ left$/)).toBeNull()
  })

  it('takes no files into the list that cannot fit', async () => {
    const page = await render(limited)
    await page.findByText('400 kB of 1 MB left')
    const files = [new File(['x'.repeat(400_001)], 'big.bin')]
    await page.user.upload(page.getByLabelText('Files to upload'), files)
    await page.findByText('Only 400 kB of storage are left')
    expect(page.queryByText('big.bin')).toBeNull()
  })
})

describe('sending through a link', () => {
  const at = { at: '/upload/send-here', path: '/upload/:token' }
  const LINK = 'GET /api/reverseShares/send-here'

  it('asks for its password first, until it is right', async () => {
    const page = await renderPage(<ReverseUploadPage />, {
      ...at,
      api: {
        [LINK]: ok(sampleReverseShareView({ hasPassword: true, isUnlocked: false, name: null })),
        'POST /api/reverseShares/send-here/access': refuse(403, 'wrong_password'),
      },
    })
    const dialog = within(await page.findByRole('dialog', { name: 'Password required' }))
    await page.fill('Password', 'tahini')
    await page.user.click(dialog.getByRole('button', { name: 'Continue' }))
    await page.findByText('Invalid password')
  })

  it('says that a link is closed', async () => {
    const page = await renderPage(<ReverseUploadPage />, {
      ...at,
      api: { [LINK]: refuse(404, 'reverse_share_not_found') },
    })
    await page.findByText('This link does not work')
  })

  async function send(changes: Parameters<typeof sampleReverseShareView>[0], api: Handlers = {}) {
    const page = await renderPage(
      <SendDialog
        reverseShare={sampleReverseShareView(changes)}
        opened
        onClose={() => undefined}
        onCreated={() => undefined}
      />,
      { api },
    )
    return page
  }

  it('asks a guest for a name where the receiver wants one', async () => {
    const page = await send({ askSenderName: true })
    await page.press('Send')
    expect(page.getByText('This field is required')).toBeTruthy()
    expect(page.api.changes).toEqual([])
  })

  it('asks in short form for a subject and a note only', async () => {
    const page = await send({ simplified: true })
    expect(page.getByLabelText('Subject')).toBeTruthy()
    expect(page.queryByLabelText('Link')).toBeNull()
    expect(page.queryByRole('button', { name: 'Security options' })).toBeNull()
  })

  it.each([
    ['reverse_share_used_up', 'This link has no uses left'],
    ['reverse_share_busy', 'Too many shares are being sent through this link, try again later'],
  ] as const)('says why it cannot: %s', async (code, text) => {
    const page = await send({}, { 'POST /api/shares': refuse(403, code) })
    await page.press('Send')
    expect((await page.findByRole('alert')).textContent).toBe(text)
  })
})
