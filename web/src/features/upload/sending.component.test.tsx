// @vitest-environment jsdom
import { waitFor, within } from '@testing-library/react'
import type { ReverseShareView, UserView } from '@floe/contracts'
import { type ReactNode, useEffect } from 'react'
import { beforeAll, describe, expect, it } from 'vitest'
import { done, type Handlers, ok, refuse } from '../../testing/api-server.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { sampleReverseShareView, sampleUser } from '../../testing/samples.ts'
import { scriptDraft, scriptSending } from '../../testing/scripted-upload.ts'
import { PageLink } from '../../shared/components/PageLink.tsx'
import { useUploadDesk } from '../../shared/upload/upload-desk.ts'
import type { UploadJob } from '../../shared/upload/upload-job.ts'
import { loadLazy } from './lazy.ts'
import { Page as ReverseUploadPage } from './pages/ReverseUploadPage.tsx'
import { Page as UploadPage } from './pages/UploadPage.tsx'

const at = { at: '/upload/send-here', path: '/upload/:token' }
const LINK = 'GET /api/reverseShares/send-here'
const BEGIN = 'POST /api/shares'
const COMPLETE = 'POST /api/shares/draft-1/complete'
const files = () => [new File(['x'], 'a.txt')]
const receipt = { name: null, expiration: '2031-05-06T12:00:00.000Z', description: null }

// Nothing waits for the transforming of modules in the middle of a test.
beforeAll(async () => {
  await loadLazy()
})

describe('the page of a link to send files', () => {
  const open = (api: Handlers) =>
    renderPage(
      <>
        <PageLink to="/auth/signIn">Sign in</PageLink>
        <ReverseUploadPage />
      </>,
      { ...at, api: { 'GET /api/uploads': ok([]), [LINK]: ok(sampleReverseShareView()), ...api } },
    )

  it('asks for its password first, until it is right', async () => {
    const page = await open({
      [LINK]: ok(sampleReverseShareView({ hasPassword: true, isUnlocked: false, name: null })),
      'POST /api/reverseShares/send-here/access': refuse(403, 'wrong_password'),
    })
    const dialog = within(await page.findByRole('dialog', { name: 'Password required' }))
    await page.fill('Password', 'tahini')
    await page.user.click(dialog.getByRole('button', { name: 'Continue' }))
    await page.findByText('Invalid password')
  })

  it('says that a link is closed', async () => {
    const page = await open({ [LINK]: refuse(404, 'reverse_share_not_found') })
    await page.findByText('This link does not work')
  })

  it('says that links like it are switched off', async () => {
    const page = await open({ [LINK]: refuse(403, 'reverse_shares_disabled') })
    await page.findByText('This link is switched off')
    expect(page.queryByLabelText('Files to upload')).toBeNull()
  })

  it('begins a share of this link as soon as files are chosen', async () => {
    const page = await open({ [BEGIN]: refuse(409, 'reverse_share_busy') })
    await page.user.upload(await page.findByLabelText('Files to upload'), files())
    await page.findByRole('button', { name: 'Try again' })
    expect(page.api.changes).toHaveLength(1)
    expect(page.api.changes[0]?.body).toMatchObject({ reverseShare: 'send-here' })
  })

  it('keeps the files while too many are being sent, so that it can be tried again', async () => {
    const page = await open({ [BEGIN]: refuse(409, 'reverse_share_busy') })
    await page.user.upload(await page.findByLabelText('Files to upload'), files())
    await page.findByText('Too many shares are being sent through this link. Try again later.')
    await page.press('Try again')
    await expect.poll(() => page.api.changes.length).toBe(2)
    expect(page.getByText('a.txt')).toBeTruthy()
  })

  it('asks for a password that was set meanwhile, and then goes on with the files', async () => {
    let isUnlocked = true
    const page = await open({
      [LINK]: (request) => ok(sampleReverseShareView({ hasPassword: true, isUnlocked }))(request),
      [BEGIN]: (request) => {
        const isFirst = page.api.changes.length === 1
        if (isFirst) isUnlocked = false
        return refuse(
          isFirst ? 403 : 409,
          isFirst ? 'reverse_share_password_required' : 'reverse_share_busy',
        )(request)
      },
      'POST /api/reverseShares/send-here/access': (request) => {
        isUnlocked = true
        return done(request)
      },
    })
    await page.user.upload(await page.findByLabelText('Files to upload'), files())
    const dialog = within(await page.findByRole('dialog', { name: 'Password required' }))
    expect(page.api.changes).toHaveLength(1)
    await page.fill('Password', 'sesame')
    await page.user.click(dialog.getByRole('button', { name: 'Continue' }))
    await expect
      .poll(() => page.api.changes.map(({ call }) => call))
      .toEqual([BEGIN, 'POST /api/reverseShares/send-here/access', BEGIN])
    expect(page.getByText('a.txt')).toBeTruthy()
  })

  it('says so when the link was closed before files were chosen', async () => {
    let isClosed = false
    const page = await open({
      [LINK]: (request) =>
        isClosed
          ? refuse(404, 'reverse_share_not_found')(request)
          : ok(sampleReverseShareView())(request),
      [BEGIN]: (request) => {
        isClosed = true
        return refuse(404, 'reverse_share_not_found')(request)
      },
    })
    await page.user.upload(await page.findByLabelText('Files to upload'), files())
    await page.findByText('This link does not work')
  })

  it('asks before files that were chosen are lost by leaving', async () => {
    const page = await open({ [BEGIN]: refuse(409, 'reverse_share_busy') })
    await page.user.upload(await page.findByLabelText('Files to upload'), files())
    await page.findByText('a.txt')
    await page.user.click(page.getByRole('link', { name: 'Sign in' }))
    const question = within(await page.findByRole('dialog', { name: 'Leave without sending?' }))
    await page.user.click(question.getByRole('button', { name: 'Cancel' }))
    expect(page.getByText('a.txt')).toBeTruthy()
    await page.user.click(page.getByRole('link', { name: 'Sign in' }))
    await page.press('Leave')
    await waitFor(() => expect(page.location()).toBe('/auth/signIn'))
  })
})

function WithJob({ job, children }: { job: UploadJob; children: ReactNode }) {
  const { put } = useUploadDesk()
  useEffect(() => put(job), [put, job])
  return children
}

describe('what is sent through a link', () => {
  interface Options {
    link?: Partial<ReverseShareView>
    api?: Handlers
    user?: UserView | null
    isGuest?: boolean
  }

  /** A draft of two files on the page of its link; the first file is there. */
  async function openDraft({ link, api = {}, user = null, isGuest = true }: Options = {}) {
    const draft = scriptSending({ token: 'send-here', isGuest }, 'draft-1', 'a.txt', 'b.txt')
    draft.eventsOf('a.txt').onDone()
    const page = await renderPage(
      <WithJob job={draft.job}>
        <ReverseUploadPage />
      </WithJob>,
      {
        ...at,
        user,
        api: {
          'GET /api/uploads': ok([]),
          [LINK]: ok(sampleReverseShareView(link)),
          [COMPLETE]: ok({ ...receipt, id: 'draft-1', notifyReverseShareCreator: true }),
          'GET /api/shares/draft-1': refuse(403, 'private_share'),
          ...api,
        },
      },
    )
    await page.findByRole('button', { name: 'Send' })
    const finish = () => draft.eventsOf('b.txt').onDone()
    return { page, finish, ...draft }
  }

  it('is filled in while its files are on their way, and complete with the last byte', async () => {
    const { page, finish } = await openDraft({ link: { askSenderName: true } })
    await page.fill('Your name', 'Ida')
    await page.fill('Name', 'Quotes')
    await page.fill('Description', 'All three')
    await page.press('Send')
    await page.findByRole('heading', { name: 'Uploading' })
    expect(page.queryByRole('button', { name: 'Share the link now' })).toBeNull()
    expect(page.api.changes).toEqual([])
    finish()
    await page.findByText('The receiver has been notified by email.')
    const body = { id: 'draft-1', senderName: 'Ida', name: 'Quotes', description: 'All three' }
    expect(page.api.changes).toEqual([{ call: COMPLETE, body }])
  })

  it('needs the name of a guest where its receiver wants one', async () => {
    const { page, finish } = await openDraft({ link: { askSenderName: true } })
    finish()
    await page.press('Send')
    await page.findByText('This field is required')
    expect(document.activeElement).toBe(page.field('Your name'))
    expect(page.api.changes).toEqual([])
  })

  it.each([
    ['somebody with an account', { user: sampleUser(), isGuest: false }, false],
    ['a guest who signed in meanwhile', { user: sampleUser(), isGuest: true }, true],
  ])('asks %s for a name: see %j', async (_who, sender, isAsked) => {
    const { page } = await openDraft({ link: { askSenderName: true }, ...sender })
    expect(page.queryByLabelText('Your name') !== null).toBe(isAsked)
  })

  it.each([
    [true, 'Subject'],
    [false, 'Name'],
  ])('asks for a name and a note only (short form: %s)', async (simplified, label) => {
    const { page } = await openDraft({ link: { simplified } })
    expect(page.getByLabelText(label)).toBeTruthy()
    expect(page.getByLabelText('Description')).toBeTruthy()
    expect(page.queryByLabelText('Link')).toBeNull()
    expect(page.queryByLabelText('Expires in')).toBeNull()
    expect(page.queryByRole('button', { name: 'Security options' })).toBeNull()
    expect(page.queryByRole('button', { name: 'Share the link now' })).toBeNull()
  })

  it('stays when another took the last use, and says so', async () => {
    const { page, finish } = await openDraft({
      api: { [COMPLETE]: refuse(403, 'reverse_share_used_up') },
    })
    finish()
    await page.fill('Name', 'Quotes')
    await page.press('Send')
    await page.findByText('This link has no uses left')
    expect(page.field('Name')).toHaveProperty('value', 'Quotes')
    await page.findByRole('button', { name: 'Send' })
  })

  it('asks for what the link asks for by now, once it was refused', async () => {
    let askSenderName = false
    const { page, finish } = await openDraft({
      api: {
        [LINK]: (request) => ok(sampleReverseShareView({ askSenderName }))(request),
        [COMPLETE]: (request) => {
          askSenderName = true
          return refuse(400, 'validation_failed')(request)
        },
      },
    })
    finish()
    await page.press('Send')
    await page.findByLabelText('Your name')
  })

  it('says that its link is gone when the server refuses a file', async () => {
    let isGone = false
    const { page, eventsOf } = await openDraft({
      api: {
        [LINK]: (request) =>
          isGone
            ? refuse(404, 'reverse_share_not_found')(request)
            : ok(sampleReverseShareView())(request),
      },
    })
    isGone = true
    eventsOf('b.txt').onFailure('gone')
    await page.findByText('This link no longer works')
    expect(page.getByText('a.txt')).toBeTruthy()
  })

  it('says that its link is gone when it cannot be sent any more', async () => {
    let isGone = false
    const { page, finish } = await openDraft({
      api: {
        [LINK]: (request) =>
          isGone
            ? refuse(404, 'reverse_share_not_found')(request)
            : ok(sampleReverseShareView())(request),
        [COMPLETE]: (request) => {
          isGone = true
          return refuse(404, 'share_not_found')(request)
        },
      },
    })
    finish()
    await page.press('Send')
    await page.findByText('This link no longer works')
    await waitFor(() => expect(page.queryByText('Can be used 2 more times')).toBeNull())
    expect(page.getAllByText('This link no longer works')).toHaveLength(1)
  })

  it('says how much the link allows by now when a file is too large', async () => {
    let maxShareSize = '50000000'
    const { page, eventsOf } = await openDraft({
      api: { [LINK]: (request) => ok(sampleReverseShareView({ maxShareSize }))(request) },
    })
    maxShareSize = '500'
    eventsOf('b.txt').onFailure('tooLarge')
    await page.findByText('Your files exceed the maximum share size of 500 B')
  })
})

describe('a draft that another page asks about', () => {
  const open = (job: UploadJob, shown: ReactNode, where: { at: string; path: string }) =>
    renderPage(<WithJob job={job}>{shown}</WithJob>, {
      ...where,
      user: sampleUser(),
      api: { 'GET /api/uploads': ok([]), [LINK]: ok(sampleReverseShareView()) },
    })

  it('leads from the upload page to its link', async () => {
    const reverseShare = { token: 'send-here', isGuest: false }
    const { job } = scriptSending(reverseShare, 'draft-1', 'a.txt')
    const page = await open(job, <UploadPage />, { at: '/upload', path: '/upload' })
    const link = await page.findByRole('link', { name: 'Send' })
    expect(link.getAttribute('href')).toBe('/upload/send-here')
    expect(page.queryByLabelText('Link')).toBeNull()
  })

  it('leads from the page of a link to the upload page', async () => {
    const { job } = scriptDraft('draft-1', 'a.txt')
    const page = await open(job, <ReverseUploadPage />, at)
    const link = await page.findByRole('link', { name: 'Share' })
    expect(link.getAttribute('href')).toBe('/upload')
  })
})
