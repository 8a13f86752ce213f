// @vitest-environment jsdom
import { cleanup, waitFor } from '@testing-library/react'
import type { Settings, StorageStatus, UserView } from '@floe/contracts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Handlers, ok, refuse } from '../../testing/api-server.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { sampleOwnShare, sampleUser } from '../../testing/samples.ts'
import { scriptDraft } from '../../testing/scripted-upload.ts'
import type { UploadJob } from '../../shared/upload/upload-job.ts'
import { useJobStage } from '../../shared/upload/use-upload-job.ts'
import { CompletedDialog } from './components/CompletedDialog.tsx'
import { DraftUpload } from './components/DraftUpload.tsx'
import { Page as UploadPage } from './pages/UploadPage.tsx'
import { useUploadActions } from './use-upload-actions.ts'

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

const COMPLETE = 'POST /api/shares/draft-1/complete'

function Draft({ job }: { job: UploadJob }) {
  const stage = useJobStage(job)
  const actions = useUploadActions()
  if (stage.name !== 'draft') return null
  return (
    <DraftUpload
      job={job}
      failure={stage.error}
      heading="Upload"
      submit={{ label: 'Share', icon: null }}
      actions={actions}
      about={null}
      hint=""
      maxBytes={5_000}
      leftBytes={null}
    />
  )
}

/** A draft whose two files are there. */
async function openDraft({ api = {}, settings = {}, user = sampleUser() }: Options = {}) {
  const draft = scriptDraft('draft-1', 'a.txt', 'b.txt')
  for (const name of ['a.txt', 'b.txt']) draft.eventsOf(name).onDone()
  const page = await renderPage(<Draft job={draft.job} />, {
    api: { [COMPLETE]: ok(receipt), ...api },
    settings,
    user,
  })
  const isShared = () => draft.job.getStage().name === 'finished'
  return { page, isShared, ...draft }
}

describe('the options of a share', () => {
  it.each([
    ['', 'This field is required'],
    ['ab', 'Must be at least 3 characters'],
    ['a'.repeat(51), 'Must be at most 50 characters'],
    ['not a link', 'Can only contain letters, numbers, underscores, and hyphens'],
  ])('say why the link cannot be %j', async (id, message) => {
    const { page } = await openDraft()
    await page.fill('Link', id)
    await page.press('Share')
    expect(page.getByText(message)).toBeTruthy()
    expect(document.activeElement).toBe(page.field('Link'))
    expect(page.api.changes).toEqual([])
  })

  it.each([
    [true, 'This link is available'],
    [false, 'This link is already in use'],
  ])('tell while it is typed whether a link is free (%s)', async (isAvailable, text) => {
    const { page } = await openDraft({
      api: { 'GET /api/shares/isShareIdAvailable/holiday': ok({ isAvailable }) },
    })
    await page.fill('Link', 'holiday')
    await page.findByText(text)
  })

  it('show a taken link at its field', async () => {
    const { page, isShared } = await openDraft({
      api: { [COMPLETE]: refuse(400, 'share_id_taken') },
    })
    await page.fill('Link', 'holiday')
    await page.press('Share')
    await page.findByText('This link is already in use')
    expect(page.field('Link').getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(page.field('Link'))
    expect(isShared()).toBe(false)
  })

  it('make another link at a click, of the length that is set', async () => {
    const { page } = await openDraft({ settings: { 'share.shareIdLength': 12 } })
    const link = () => page.field('Link').getAttribute('value') ?? ''
    const before = link()
    await page.press('Generate')
    expect(link()).not.toBe(before)
    expect(link()).toHaveLength(12)
  })
})

describe('the end and the security of a share', () => {
  it('offer no end beyond the longest that is allowed, and not never', async () => {
    const { page } = await openDraft({ settings: { 'share.maxExpiration': 48 } })
    expect(page.queryByLabelText('Never expires')).toBeNull()
    await page.fill('Expires in', '3')
    expect(page.getByText(/^Expiration exceeds maximum expiration date of/)).toBeTruthy()
    await page.press('Share')
    expect(page.api.changes).toEqual([])
  })

  it('allow an administrator what the longest forbids, where that is set', async () => {
    const settings = { 'share.maxExpiration': 48, 'share.adminsMayExceedExpiration': true }
    const member = await openDraft({ settings })
    expect(member.page.queryByLabelText('Never expires')).toBeNull()
    cleanup()
    const { page } = await openDraft({ settings, user: sampleUser({ isAdmin: true }) })
    await page.fill('Expires in', '300')
    expect(page.queryByText(/^Expiration exceeds/)).toBeNull()
    expect(page.getByLabelText('Never expires')).toBeTruthy()
  })

  it('offer never to nobody where shares have to end, but to whom an exception is made', async () => {
    const settings = { 'share.allowNeverExpires': false }
    const member = await openDraft({ settings })
    expect(member.page.queryByLabelText('Never expires')).toBeNull()
    cleanup()
    const user = sampleUser({ sharingExceptions: { allowNeverExpires: true } })
    const { page } = await openDraft({ settings, user })
    expect(page.getByLabelText('Never expires')).toBeTruthy()
  })

  it('ask for a password where one is required, in a fold that is open', async () => {
    const { page, isShared } = await openDraft({ settings: { 'share.passwordRequired': true } })
    await page.press('Share')
    expect(page.getByText('This field is required')).toBeTruthy()
    expect(page.api.changes).toEqual([])
    await page.fill('Password', 'a secret word')
    await page.press('Share')
    await expect.poll(isShared).toBe(true)
    expect(page.api.changes[0]?.body).toMatchObject({ security: { password: 'a secret word' } })
  })

  it('ask for recipients where shares open for them alone', async () => {
    const settings = {
      'share.recipientsOnly': true,
      'smtp.enabled': true,
      'email.enableShareEmailRecipients': true,
    }
    const { page } = await openDraft({ settings })
    const only = page.getByRole('switch', { name: /^Only recipients can open it/ })
    expect(only).toMatchObject({ checked: true, disabled: true })
    await page.press('Share')
    expect(page.getByText('This field is required')).toBeTruthy()
    expect(page.api.changes).toEqual([])
  })

  it('need a number for the end, and say so at its field', async () => {
    const { page } = await openDraft()
    await page.fill('Expires in', '')
    const { id } = page.getByText('Must be a number')
    expect(page.field('Expires in').getAttribute('aria-describedby')).toBe(id)
    await page.press('Share')
    expect(page.api.changes).toEqual([])
    expect(document.activeElement).toBe(page.field('Expires in'))
  })

  it.each([
    ['99999', 'year', /^Expiration exceeds maximum expiration date of .*9999/],
    ['1.5', 'day', 'Must be a number of at least 1'],
    ['1,5', 'day', 'Must be a number of at least 1'],
    ['100000', 'day', 'A value is out of range'],
  ])('refuse %s times a %s at its field', async (amount, unit, message) => {
    const { page } = await openDraft()
    await page.user.selectOptions(page.getByLabelText('Unit'), unit)
    await page.user.clear(page.field('Expires in'))
    await page.user.keyboard(`${amount}{Enter}`)
    expect(page.field('Expires in').getAttribute('aria-invalid')).toBe('true')
    expect(page.getByText(message)).toBeTruthy()
    expect(page.queryByText(/^This share expires/)).toBeNull()
  })

  it('allow a share that never expires where there is no longest', async () => {
    const { page, isShared } = await openDraft({ settings: { 'share.maxExpiration': 0 } })
    await page.user.click(page.getByLabelText('Never expires'))
    expect(page.getByText('This share never expires')).toBeTruthy()
    expect(page.field('Expires in')).toHaveProperty('disabled', true)
    await page.press('Share')
    await expect.poll(isShared).toBe(true)
    expect(page.api.changes[0]?.body).toMatchObject({ expiration: 'never' })
  })

  it.each([
    ['Password', 'ab', 'Must be at least 3 characters'],
    ['Password', 'a'.repeat(31), 'Must be at most 30 characters'],
  ])('say why the %s cannot be %j', async (label, text, message) => {
    const { page } = await openDraft()
    await page.press('Security options')
    await page.fill(label, text)
    await page.press('Share')
    expect(page.getByText(message)).toBeTruthy()
    expect(page.api.changes).toEqual([])
  })

  it('are sent as they were chosen', async () => {
    const { page, isShared } = await openDraft({ settings: { 'share.maxExpiration': 0 } })
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
    await expect.poll(isShared).toBe(true)
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
    const { page } = await openDraft({ user: null })
    expect(page.getByText('You are not signed in')).toBeTruthy()
  })

  it.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
  ])(
    'ask for recipients where mails (%s) and recipients (%s) are on: %s',
    async (mails, recipients, asks) => {
      const { page } = await openDraft({
        settings: { 'smtp.enabled': mails, 'email.enableShareEmailRecipients': recipients },
      })
      expect(page.queryByRole('button', { name: 'Email recipients' }) !== null).toBe(asks)
      expect(page.queryByLabelText('Email me when it is downloaded') !== null).toBe(mails)
    },
  )

  it('refuse recipients that are no addresses', async () => {
    const { page } = await openDraft({
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

describe('a draft', () => {
  it('is shared under the link it has already, unless another was written', async () => {
    const { page, isShared } = await openDraft()
    expect(page.field('Link')).toHaveProperty('value', 'draft-1')
    await page.press('Share')
    await expect.poll(isShared).toBe(true)
    expect(page.api.changes[0]?.body).toEqual({
      id: 'draft-1',
      expiration: '7-days',
      recipients: [],
      security: {},
    })
  })

  it('was shared when the response to that was lost', async () => {
    const { page, isShared } = await openDraft({
      api: {
        [COMPLETE]: refuse(502, 'upstream_unavailable'),
        'GET /api/shares/holiday/from-owner': ok(sampleOwnShare({ id: 'holiday' })),
      },
    })
    await page.fill('Link', 'holiday')
    await page.press('Share')
    await page.findByText('An error occurred while finishing your share')
    page.api.handle({ [COMPLETE]: refuse(404, 'share_not_found') })
    await page.press('Share')
    await expect.poll(isShared).toBe(true)
  })

  it('is not called ready on these terms when somebody else has shared it', async () => {
    const { page, isShared } = await openDraft({
      api: {
        [COMPLETE]: refuse(400, 'share_already_completed'),
        'GET /api/shares/holiday/from-owner': ok(sampleOwnShare({ id: 'holiday' })),
      },
    })
    await page.fill('Link', 'holiday')
    await page.press('Share')
    await page.findByText(/^This share was already finished elsewhere/)
    expect(isShared()).toBe(false)
  })

  it('keeps what was filled in when sharing fails, and tells why', async () => {
    const { page, isShared } = await openDraft({
      api: { [COMPLETE]: refuse(400, 'share_expiration_too_long') },
    })
    await page.fill('Link', 'holiday')
    await page.press('Share')
    await page.findByText('An error occurred while finishing your share')
    expect(document.activeElement).toBe(page.getByRole('alert'))
    expect(page.field('Link')).toHaveProperty('value', 'holiday')
    expect(isShared()).toBe(false)
  })

  it('tells how many files it has, how large they are, and that they are there', async () => {
    const { page } = await openDraft()
    expect(page.getByText('2 files, 2 kB')).toBeTruthy()
    await page.findByText('2 of 2 files uploaded')
  })

  it('tells of another file whose name it has, and leaves it out', async () => {
    const { page, job } = await openDraft()
    const choose = (...files: File[]) =>
      page.user.upload(page.getByLabelText('Files to upload'), files)
    const report = new File(['four'], 'report.txt', { lastModified: 1 })
    await choose(report)
    await waitFor(() => expect(job.session.entries()).toHaveLength(3))
    await choose(report)
    expect(page.queryByText(/has already been chosen/)).toBeNull()
    await choose(new File(['ten bytes.'], 'report.txt', { lastModified: 2 }))
    await page.findByText('report.txt: A file with this name has already been chosen')
    expect(job.session.entries()).toHaveLength(3)
    expect(job.session.entries().at(-1)?.file.size).toBe(4)
  })

  it('deletes a file that is removed, and sends it again when that is undone', async () => {
    const { page, log, job } = await openDraft()
    await page.press('Remove a.txt')
    expect(page.queryByText('a.txt')).toBeNull()
    expect(log.at(-1)).toMatch(/^remove /)
    await page.user.click(await page.findByRole('button', { name: 'Undo' }))
    await page.findByText('a.txt')
    expect(log.at(-1)).toBe('start a.txt')
    expect(job.session.entries().map(({ name }) => name)).toEqual(['a.txt', 'b.txt'])
  })

  it('sends a text anew that was edited, in its place, and deletes the one of before', async () => {
    const { page, log, job } = await openDraft()
    await page.press('Edit a.txt')
    await page.findByLabelText('Text')
    await page.fill('Text', 'y')
    await page.press('Done')
    await waitFor(() => expect(log).toHaveLength(4))
    const [edited, other] = job.session.entries()
    expect(log.slice(2)).toEqual([expect.stringMatching(/^remove /), `start ${edited?.key}`])
    expect([await edited?.file.text(), other?.name]).toEqual(['y', 'b.txt'])
  })

  it('keeps a text as it was when the edited one is more than a share may hold', async () => {
    const { page, log } = await openDraft()
    await page.press('Edit a.txt')
    await page.findByLabelText('Text')
    await page.fill('Text', 'y'.repeat(4_001))
    await page.press('Done')
    await page.findByText('Your files exceed the maximum share size of 5 kB')
    expect(log).toHaveLength(2)
  })

  it('cannot be shared while it is empty', async () => {
    const { page } = await openDraft()
    await page.press('Remove all')
    expect(page.queryByRole('button', { name: 'Share' })).toBeNull()
    await page.user.click(await page.findByRole('button', { name: 'Undo' }))
    await page.findByRole('button', { name: 'Share' })
  })

  it('takes no more than a share may hold', async () => {
    const { page, log } = await openDraft()
    const files = [new File(['x'.repeat(3_001)], 'big.bin')]
    await page.user.upload(page.getByLabelText('Files to upload'), files)
    await page.findByText('Your files exceed the maximum share size of 5 kB')
    expect(log).toHaveLength(2)
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

  it('says that it opens after the virus scan, until it does', async () => {
    const path = 'GET /api/shares/holiday/from-owner'
    const page = await renderPage(
      <CompletedDialog receipt={{ ...receipt, waitsForScan: true }} onDone={() => undefined} />,
      { api: { [path]: ok(sampleOwnShare({ waitsForScan: true })) } },
    )
    const note = () => page.queryByText('Opens after the virus scan')
    await expect.poll(() => page.api.calls).toContain(path)
    expect(note()).toBeTruthy()
    page.api.handle({ [path]: ok(sampleOwnShare()) })
    await expect.poll(note, { timeout: 10_000 }).toBeNull()
  })

  const show = (options: Parameters<typeof renderPage>[1] = {}) =>
    renderPage(<CompletedDialog receipt={receipt} onDone={() => undefined} />, {
      settings: { 'general.appUrl': 'https://floe.example' },
      ...options,
    })

  it('goes to the share sheet of the system where there is one', async () => {
    const without = await show()
    expect(without.queryByRole('button', { name: 'Send link' })).toBeNull()
    cleanup()
    const shared: ShareData[] = []
    Object.defineProperty(navigator, 'share', {
      configurable: true,
      value: async (data: ShareData) => void shared.push(data),
    })
    onTestFinished(() => void Reflect.deleteProperty(navigator, 'share'))
    const page = await show()
    await page.press('Send link')
    expect(shared).toEqual([{ url: 'https://floe.example/s/holiday' }])
  })

  it('says nothing when the sheet is closed, and what went wrong otherwise', async () => {
    let error = new DOMException('closed', 'AbortError')
    Object.defineProperty(navigator, 'share', {
      configurable: true,
      value: () => Promise.reject(error),
    })
    onTestFinished(() => void Reflect.deleteProperty(navigator, 'share'))
    const page = await show()
    await page.press('Send link')
    error = new DOMException('no', 'NotAllowedError')
    await page.press('Send link')
    expect(await page.findAllByText('An unknown error occurred')).toHaveLength(1)
  })

  it.each([
    [['carol@floe.example', 'dan@floe.example'], true],
    [[], false],
  ])('says who was sent it: %j', async (recipients, isSaid) => {
    const page = await show({
      user: sampleUser(),
      settings: { 'smtp.enabled': true, 'email.enableShareEmailRecipients': true },
      api: { 'GET /api/shares/holiday/from-owner': ok(sampleOwnShare({ recipients })) },
    })
    await waitFor(() => expect(page.api.calls).toContain('GET /api/shares/holiday/from-owner'))
    if (isSaid) await page.findByText('Sent to carol@floe.example and dan@floe.example')
    else expect(page.queryByText(/^Sent to/)).toBeNull()
  })

  it('asks for no recipients where no emails go out', async () => {
    const page = await show({ user: sampleUser() })
    expect(page.api.calls).not.toContain('GET /api/shares/holiday/from-owner')
  })

  it.each([
    [{ notifyReverseShareCreator: true }, 'The receiver has been notified by email.'],
    [{ notifyReverseShareCreator: false }, 'The receiver can see them now.'],
    [
      { notifyReverseShareCreator: true, waitsForScan: true as const },
      'Opens after the virus scan',
    ],
  ])('that was sent to somebody says whether they were told (%j)', async (sent, text) => {
    const page = await renderPage(
      <CompletedDialog receipt={{ ...receipt, ...sent }} onDone={() => undefined} />,
      { api: { 'GET /api/shares/holiday': refuse(403, 'private_share') } },
    )
    expect(page.getByText(text)).toBeTruthy()
  })
})

describe('the choice of files', () => {
  // As long as no draft takes them the page has the files.
  const unfinished = {
    'GET /api/uploads': ok([]),
    'POST /api/shares': refuse(400, 'too_many_empty_shares'),
  }
  const render = (settings: Partial<Settings> = {}, api: Handlers = {}) =>
    renderPage(<UploadPage />, { settings, api: { ...unfinished, ...api }, user: sampleUser() })

  const file = (name: string, bytes = 10) => new File(['x'.repeat(bytes)], name)

  it('is none where all has to be encrypted and the browser cannot, outside of HTTPS', async () => {
    const page = await render({ 'share.encryption': 'required' })
    await page.findByRole('heading', { name: 'This browser cannot encrypt' })
    expect(page.getByText(/at an address that begins with https/)).toBeTruthy()
    expect(page.queryByLabelText('Files to upload')).toBeNull()
  })

  it('takes no more than a share may hold', async () => {
    const page = await render({ 'share.maxSize': 1_000 })
    await page.user.upload(page.getByLabelText('Files to upload'), [file('big.bin', 1_001)])
    await page.findByText('Your files exceed the maximum share size of 1 kB')
    expect(page.queryByText('big.bin')).toBeNull()
  })

  it('stays when no draft can be begun, which can be tried again', async () => {
    const page = await render()
    await page.user.upload(page.getByLabelText('Files to upload'), [file('a.txt')])
    await page.findByRole('button', { name: 'Try again' })
    expect(page.getByText('a.txt')).toBeTruthy()
    await page.press('Try again')
    await expect.poll(() => page.api.changes.length).toBe(2)
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
    await page.findByText('Only 400 kB of storage is left')
    expect(page.queryByText('big.bin')).toBeNull()
  })
})
