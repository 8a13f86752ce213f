import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { dragOver, writeRandomFile, writeTree } from '../harness/files.ts'
import { configure, join as joinFloe } from '../harness/people.ts'
import type { Visitor } from '../harness/journey.ts'
import { makeReverseShare } from '../harness/reverse-shares.ts'
import { takeLine, waitForProgress } from '../harness/uploading.ts'
import { refuse, type Tour } from './tour.ts'

/** From the empty page to the finished share, with what may go wrong on the way. */
export async function tourUpload(tour: Tour, admin: Visitor): Promise<void> {
  const { journey, judge } = tour
  journey.problems.expectRefusals(
    { path: /^\/api\/uploads/ },
    { path: /^\/api\/uploads/, status: 400 },
    { path: /^\/api\/shares\/[\w-]+\/complete$/, status: 500 },
  )
  await writeRandomFile(join(journey.folder, 'film.mov'), { sizeBytes: 9_000_000, seed: 'film' })
  await writeTree(journey.folder, { 'notes.txt': 'Notes' })
  const film = join(journey.folder, 'film.mov')
  const notes = join(journey.folder, 'notes.txt')
  const { page, context, leave } = await tour.visit()
  await joinFloe({ context })
  await configure(admin, { 'share.userStorageLimit': 10_000_000, 'share.maxSize': 9_500_000 })
  await tourChoosingFiles(tour, page, [film, notes])
  await tourOptions(tour, page)
  await tourInterruptedUpload(tour, page, [film, notes])
  await tourResumedUpload(tour, page, film)
  await page.goto('/upload')
  await storageMeter(tour, page).waitFor({ state: 'attached' })
  await judge(page, 'upload with little storage left')
  await leave()
  await configure(admin, { 'share.userStorageLimit': 0, 'share.maxSize': 0 })
  await tourEarlyLink(tour, [film, notes])
  await tourAnonymousUpload(tour, notes)
}

/** What is filled in while files are sent. */
function optionsOf({ say }: Tour, page: Page): Locator {
  return page.getByRole('region', { name: say('upload.create.title') })
}

/** Nothing is to be seen of an empty one. */
function storageMeter({ say }: Tour, page: Page): Locator {
  return page.getByRole('progressbar', { name: say('upload.storage.meter') })
}

async function tourChoosingFiles(
  tour: Tour,
  page: Page,
  [film, notes]: readonly [film: string, notes: string],
): Promise<void> {
  const { judge, button, heading, dialog, field, text, say } = tour
  await page.goto('/upload')
  await heading(page, 'upload.drop.title').waitFor()
  await storageMeter(tour, page).waitFor({ state: 'attached' })
  await judge(page, 'upload')
  const drag = await dragOver(page, page.getByRole('banner'), [notes])
  await page
    .getByRole('status')
    .filter({ hasText: say('upload.drop.title') })
    .waitFor()
  await judge(page, 'files over the window')
  await drag.leave()
  await button(page, 'upload.drop.writeText').click()
  await button(dialog(page, 'upload.text.write'), 'upload.text.add').click()
  await text(page, 'validation.required').waitFor()
  await judge(page, 'text to write, with an error')
  await page.keyboard.press('Escape')
  await field(page, 'upload.drop.input').setInputFiles([film, notes])
  await optionsOf(tour, page).waitFor()
  await judge(page, 'chosen files')
  await button(page, 'upload.text.edit', { name: 'notes.txt' }).click()
  await field(page, 'upload.text.text').waitFor()
  await judge(page, 'text to edit')
  await page.keyboard.press('Escape')
  await field(page, 'upload.drop.input').setInputFiles({
    name: 'more.mov',
    mimeType: 'video/quicktime',
    buffer: Buffer.alloc(900_000),
  })
  await page.getByRole('alert').first().waitFor()
  await judge(page, 'notice of files that are too large')
}

async function tourOptions(tour: Tour, page: Page): Promise<void> {
  const { judge, button, field, text, say } = tour
  const create = optionsOf(tour, page)
  await field(create, 'upload.create.link').fill('not a link!')
  for (const fold of ['about', 'security', 'recipients']) {
    await button(create, `upload.create.${fold}`).click()
  }
  const recipients = create.getByRole('textbox', { name: say('upload.recipients.label') })
  await recipients.fill('kim@example.org, nobody')
  await field(create, 'share.fields.maxViews').waitFor()
  await button(page, 'upload.create.submit').click()
  await text(create, 'validation.shareId').waitFor()
  await judge(page, 'options of a new share, with errors')
  // Drafts use storage: the next one needs it.
  const deleted = page.waitForResponse(
    (response) => response.request().method() === 'DELETE' && response.url().includes('/uploads/'),
  )
  await button(page, 'upload.list.clear').click()
  await deleted
}

async function tourInterruptedUpload(
  tour: Tour,
  page: Page,
  files: readonly string[],
): Promise<void> {
  const { judge, button, heading, dialog, field, text, say } = tour
  const line = await takeLine(page)
  await line.set({ uploadBytesPerSecond: 1_000_000 })
  await page.goto('/upload')
  await field(page, 'upload.drop.input').setInputFiles(files)
  await field(optionsOf(tour, page), 'upload.create.link').fill(`barrier-free-${tour.language}`)
  await button(page, 'upload.create.submit').click()
  const total = page.getByRole('progressbar', { name: say('upload.progress.total') })
  await waitForProgress(total, 3)
  await judge(page, 'upload under way')
  await button(page, 'upload.file.pause', { name: 'film.mov' }).click()
  await button(page, 'upload.progress.cancelAll').click()
  await dialog(page, 'upload.progress.cancelTitle').waitFor()
  await judge(page, 'question before an upload is cancelled')
  await page.keyboard.press('Escape')
  await line.set({ offline: true })
  await text(page, 'upload.offline').waitFor()
  await judge(page, 'paused upload without a connection')
  await line.set({})
  await page.goto('about:blank')
  await page.goto('/upload')
  await heading(page, 'upload.unfinished.title').waitFor()
  await judge(page, 'unfinished uploads')
  await page
    .getByRole('button', { name: say('upload.unfinished.discard') })
    .last()
    .click()
  await dialog(page, 'upload.unfinished.discardTitle').waitFor()
  await judge(page, 'question before an upload is discarded')
  await page.keyboard.press('Escape')
}

/** On with the interrupted upload of the film, to the finished share. */
async function tourResumedUpload(tour: Tour, page: Page, film: string): Promise<void> {
  const { judge, button, dialog, text, say } = tour
  // The newest stands first.
  const again = page.locator('main ul input[type=file]').first()
  const changed = { name: 'film.mov', mimeType: 'video/quicktime', buffer: Buffer.alloc(9_000_000) }
  await again.setInputFiles(changed)
  await text(page, 'upload.failure.changed').waitFor()
  await judge(page, 'file that has changed since its upload began')
  await page.goto('/upload')
  await refuse(page, /\/api\/uploads\//, { method: 'PATCH', status: 400 })
  await again.setInputFiles([film])
  const retry = button(page, 'upload.file.retry', { name: 'film.mov' })
  await retry.waitFor()
  await judge(page, 'failed upload')
  await page.unrouteAll()
  await refuse(page, /\/complete$/, { status: 500 })
  await retry.click()
  await button(page, 'upload.create.submit').click()
  await text(page, 'upload.finishFailed').waitFor()
  await judge(page, 'share that cannot be finished')
  await page.unrouteAll()
  await button(page, 'upload.create.submit').click()
  const done = dialog(page, 'upload.completed.title')
  await button(done, 'upload.completed.showCode').click()
  await done.getByRole('img', { name: say('share.qrCode') }).waitFor()
  await judge(page, 'finished share')
}

/** A link that is shared while files are sent, as its sender and its visitors see it. */
async function tourEarlyLink(tour: Tour, files: readonly string[]): Promise<void> {
  const { judge, button, dialog, field, text } = tour
  const { page, context, leave } = await tour.visit()
  await joinFloe({ context })
  const id = `early-${tour.language}`
  const line = await takeLine(page)
  await line.set({ uploadBytesPerSecond: 500_000 })
  await page.goto('/upload')
  await field(page, 'upload.drop.input').setInputFiles(files)
  await button(page, 'upload.file.pause', { name: 'film.mov' }).click()
  await field(optionsOf(tour, page), 'upload.create.link').fill(id)
  await button(page, 'upload.create.submit').click()
  await text(page, 'upload.early.hint').waitFor()
  await judge(page, 'upload whose link can be shared')
  await button(page, 'upload.early.action').click()
  await text(page, 'upload.early.title').waitFor()
  await judge(page, 'upload whose link works')
  await button(page, 'upload.early.stop').click()
  await dialog(page, 'upload.early.stopTitle').waitFor()
  await judge(page, 'question before an upload is stopped')
  await page.keyboard.press('Escape')

  const visitor = await tour.visit()
  await visitor.page.goto(`/share/${id}`)
  await button(visitor.page, 'share.downloadAll').click()
  await text(visitor.page, 'share.coming.autoStart').waitFor()
  await judge(visitor.page, 'share whose files are uploaded, and a download that waits')
  await visitor.leave()
  await line.set({})
  await button(page, 'upload.file.resume', { name: 'film.mov' }).click()
  await dialog(page, 'upload.completed.title').waitFor()
  await leave()
}

async function tourAnonymousUpload(tour: Tour, file: string): Promise<void> {
  const { judge, field, text } = tour
  const { page, leave } = await tour.visit()
  await page.goto('/upload')
  await field(page, 'upload.drop.input').setInputFiles([file])
  await text(page, 'upload.create.anonymous.title').waitFor()
  await judge(page, 'options of a share without an account')
  await leave()
}

/** A link to receive files, as its senders see it. */
export async function tourSending(tour: Tour): Promise<void> {
  const { journey, judge, button, heading, dialog, field, text, say } = tour
  journey.problems.expectRefusals(
    { path: /^\/api\/reverseShares\//, status: 400 },
    { path: /^\/api\/reverseShares\//, status: 401 },
    { path: /^\/api\/reverseShares\//, status: 403 },
    { path: /^\/api\/reverseShares\//, status: 404 },
  )
  const owner = await tour.visit()
  await joinFloe(owner)
  const token = `inbox-${tour.language}`
  await makeReverseShare(owner.context.request, {
    token,
    name: 'Inbox',
    password: 'secret',
    maxBytes: 1_000_000,
    askSenderName: true,
  })
  await owner.leave()
  const { page, leave } = await tour.visit()
  await page.goto(`/upload/${token}`)
  await dialog(page, 'share.password.title').waitFor()
  await judge(page, 'password of a link')
  await field(page, 'share.password.label').fill('wrong')
  await page.keyboard.press('Enter')
  await text(page, 'share.password.invalid').waitFor()
  await judge(page, 'wrong password of a link')
  await field(page, 'share.password.label').fill('secret')
  await page.keyboard.press('Enter')
  await page.getByRole('list', { name: say('send.limits.label') }).waitFor()
  await judge(page, 'page of a link')
  await field(page, 'upload.drop.input').setInputFiles({
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Notes'),
  })
  await field(page, 'send.senderName').waitFor()
  await judge(page, 'what is asked of a sender')
  await button(page, 'send.submit').click()
  await text(page, 'validation.required').waitFor()
  await judge(page, 'a sender without a name')
  await field(page, 'send.senderName').fill('Kim')
  await button(page, 'send.submit').click()
  const done = dialog(page, 'send.done.title')
  await button(done, 'upload.completed.done').waitFor()
  await judge(page, 'sent files')
  await button(done, 'upload.completed.done').click()
  await heading(page, 'send.thanks.title').waitFor()
  await judge(page, 'used link, after sending')
  await page.goto('/upload/nowhere-at-all')
  await heading(page, 'send.closed.title').waitFor()
  await judge(page, 'closed link')
  await leave()
}
