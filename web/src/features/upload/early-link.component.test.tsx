// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { done, type Handlers, ok, refuse } from '../../testing/api-server.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { sampleOwnShare, sampleUser } from '../../testing/samples.ts'
import { scriptDraft } from '../../testing/scripted-upload.ts'
import type { UploadJob } from '../../shared/upload/upload-job.ts'
import { RunningUpload } from './components/RunningUpload.tsx'
import { useUploadActions } from './use-upload-actions.ts'

const OPEN = 'POST /api/shares/draft-1/openEarly'
const receipt = { id: 'holiday', name: null, expiration: '2031-05-06T12:00:00.000Z' }
const opened = ok({ ...receipt, description: null })

function Running({ job }: { job: UploadJob }) {
  const actions = useUploadActions()
  return (
    <RunningUpload
      job={job}
      actions={actions}
      heading="Upload"
      submit={{ label: 'Share', icon: null }}
      about={null}
      hint=""
      maxBytes={0}
      leftBytes={null}
    />
  )
}

/** A draft of three files, of which the first is there. */
async function begin(api: Handlers = {}) {
  const draft = scriptDraft('draft-1', 'a.txt', 'b.txt', 'c.txt')
  draft.eventsOf('a.txt').onDone()
  await expect.poll(() => draft.job.session.getSnapshot().doneCount).toBe(1)
  const page = await renderPage(<Running job={draft.job} />, {
    api: { [OPEN]: opened, ...api },
    user: sampleUser(),
  })
  return { page, ...draft }
}

it('the link is shared at once, with the terms and what is to come, and the upload goes on', async () => {
  const { page, eventsOf } = await begin({
    'POST /api/shares/holiday/complete': opened,
    'GET /api/shares/holiday/from-owner': ok(sampleOwnShare()),
  })
  await page.fill('Link', 'holiday')
  await page.press('Share the link now')
  await page.findByText('The link works now')
  expect(page.api.changes).toEqual([
    {
      call: OPEN,
      body: {
        ...{ id: 'holiday', expiration: '7-days', recipients: [], security: {} },
        announced: {
          ...{ fileCount: 3, size: 3_000 },
          files: ['b.txt', 'c.txt'].map((name) => ({ name, size: 1_000 })),
        },
      },
    },
  ])
  expect(page.getByLabelText('Share link')).toHaveProperty(
    'value',
    expect.stringMatching(/\/s(hare)?\/holiday$/),
  )
  expect(page.getByText('1 of 3 files uploaded')).toBeTruthy()
  eventsOf('b.txt').onDone()
  eventsOf('c.txt').onDone()
  await page.findByRole('dialog', { name: 'Your share is ready' })
  expect(page.api.changes[1]).toEqual({
    call: 'POST /api/shares/holiday/complete',
    body: undefined,
  })
})

it('may be shared after Share was pressed, as long as files are sent', async () => {
  const { page } = await begin()
  await page.press('Share')
  await page.findByText('People can download each file as soon as it is uploaded.')
  await page.press('Share the link now')
  await page.findByText('The link works now')
})

it('is offered only while files are sent', async () => {
  const { page, eventsOf } = await begin()
  for (const name of ['b.txt', 'c.txt']) eventsOf(name).onDone()
  await expect.poll(() => page.queryByRole('button', { name: 'Share the link now' })).toBeNull()
  expect(page.getByRole('button', { name: 'Share' })).toBeTruthy()
})

it('stands corrected at its field where it is taken, and was opened where the response was lost', async () => {
  const { page } = await begin({
    [OPEN]: refuse(400, 'share_id_taken'),
    'GET /api/shares/other/from-owner': ok(sampleOwnShare({ id: 'other', state: 'uploading' })),
  })
  await page.fill('Link', 'holiday')
  await page.press('Share the link now')
  await page.findByText('This link is already in use')
  page.api.handle({ [OPEN]: refuse(502, 'upstream_unavailable') })
  await page.fill('Link', 'other')
  await page.press('Share the link now')
  await page.findByText('An error occurred while finishing your share')
  page.api.handle({ [OPEN]: refuse(404, 'share_not_found') })
  await page.press('Share the link now')
  await page.findByText('The link works now')
})

it('asks for what is missing before anything is shared', async () => {
  const { page } = await begin()
  await page.fill('Link', '')
  await page.press('Share the link now')
  expect(page.getByText('This field is required')).toBeTruthy()
  expect(page.api.changes).toEqual([])
})

it('an upload that is stopped leaves what arrived under the link', async () => {
  const { page, log } = await begin({
    'POST /api/shares/holiday/complete': opened,
    'DELETE /api/shares/holiday': done,
    'GET /api/shares/holiday/from-owner': ok(sampleOwnShare({ state: 'uploading' })),
  })
  await page.fill('Link', 'holiday')
  await page.press('Share the link now')
  await page.findByText('The link works now')
  await page.press('Stop upload')
  const dialog = await page.findByRole('dialog', { name: 'Stop this upload?' })
  expect(dialog.textContent).toContain('The share keeps the files uploaded so far.')
  await page.user.click(page.getAllByRole('button', { name: 'Stop upload' }).at(-1) ?? dialog)
  await expect.poll(() => page.api.changes.at(-1)?.call).toBe('POST /api/shares/holiday/complete')
  expect(page.api.changes.map(({ call }) => call)).not.toContain('DELETE /api/shares/holiday')
  expect(log).toEqual(['start a.txt', 'start b.txt', 'start c.txt'])
})
