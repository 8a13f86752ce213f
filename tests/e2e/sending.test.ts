import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { dropOn, writeRandomFile, writeTree } from './harness/files.ts'
import type { Member } from './harness/journey.ts'
import {
  finishSending,
  makeReverseShare,
  openReverseShare,
  sendButton,
  sendOptions,
} from './harness/reverse-shares.ts'
import { takeLine, totalProgress, waitForProgress } from './harness/uploading.ts'
import { useJourney } from './harness/use-journey.ts'

const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
}
const SIZE_BYTES = 24_000_000

const journey = useJourney()
let owner: Member
let film: string
let note: string

beforeAll(async () => {
  owner = await journey.visitAsMember()
  film = join(journey.folder, 'film.mov')
  note = join(journey.folder, 'note.txt')
  await writeTree(journey.folder, { 'note.txt': 'a note' })
  await writeRandomFile(film, { sizeBytes: SIZE_BYTES, seed: 'film' })
})

const makeLink = (options: { askSenderName?: boolean; uses?: number } = {}) =>
  makeReverseShare(owner.context.request, { name: 'Films', ...options })

interface Received {
  name: string | null
  senderName?: string
  size: number
}

async function readLink(token: string): Promise<{ remainingUses: number; shares: Received[] }> {
  const response = await owner.context.request.get('/api/reverseShares')
  const links = (await response.json()) as {
    token: string
    remainingUses: number
    shares: Received[]
  }[]
  const found = links.find((link) => link.token === token)
  if (!found) throw new Error(`${token} is not listed`)
  return found
}

/** Calls that change something on the server, from now on. */
function watchCalls(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'GET' || request.method() === 'HEAD') return
    calls.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  return calls
}

test('dropped files arrive while their sender says who sends what; then they are sent at once', async () => {
  const token = await makeLink({ askSenderName: true })
  const { page, leave } = await journey.visit()
  await openReverseShare(page, token)
  await dropOn(page, page.getByRole('heading', { name: 'Drop files or folders here' }), [film])
  await page.getByText('1 of 1 file uploaded').waitFor()
  expect(await readLink(token)).toMatchObject({ remainingUses: 1, shares: [] })

  await sendOptions(page).getByLabel('Your name').fill('Anna')
  await sendOptions(page).getByLabel('Name', { exact: true }).fill('Holiday')
  const calls = watchCalls(page)
  await sendButton(page).click()
  // The link is used up by it, so that nobody can send more.
  journey.problems.expectRefusals({
    path: new RegExp(`^/api/reverseShares/${token}$`),
    status: 404,
  })
  await finishSending(page)
  expect(calls).toEqual([expect.stringMatching(/^POST \/api\/shares\/[\w-]+\/complete$/)])
  expect(await readLink(token)).toMatchObject({
    remainingUses: 0,
    shares: [{ name: 'Holiday', senderName: 'Anna', size: SIZE_BYTES }],
  })
  await leave()
})

test('a tab that was closed takes nothing along: the files go on, and are still to be sent', async () => {
  const token = await makeLink({ uses: 2 })
  const sender = await journey.visit()
  await (await takeLine(sender.page)).set({ uploadBytesPerSecond: SIZE_BYTES / 10 })
  await openReverseShare(sender.page, token)
  await sender.page.getByLabel('Files to upload').setInputFiles(film)
  await sendOptions(sender.page).waitFor()
  await waitForProgress(totalProgress(sender.page), 40)
  // What comes later goes through the link, too.
  await sender.page.getByLabel('Files to upload').setInputFiles(note)
  await sender.page.getByText('note.txt').first().waitFor()
  await sender.page.close()

  const page = await sender.context.newPage()
  await openReverseShare(page, token)
  await page.getByRole('heading', { name: 'Unfinished uploads' }).waitFor()
  await page.getByLabel(/^Files of /).setInputFiles([film, note])
  await page.getByText('2 of 2 files uploaded').waitFor()
  await sendOptions(page).getByLabel('Name', { exact: true }).fill('Second try')
  await sendButton(page).click()
  await finishSending(page)
  expect(await readLink(token)).toMatchObject({
    remainingUses: 1,
    shares: [{ name: 'Second try', size: SIZE_BYTES + 'a note'.length }],
  })
  await sender.leave()
})

test('a phone chooses files with a finger, and is asked for a name before it sends', async () => {
  const token = await makeLink({ askSenderName: true, uses: 2 })
  const { page, leave } = await journey.visit(PHONE)
  await openReverseShare(page, token)
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose files' }).tap()
  const chooser = await choosing
  expect(chooser.isMultiple()).toBe(true)
  await chooser.setFiles([film])
  await page.getByText('1 of 1 file uploaded').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)

  await page.getByRole('button', { name: 'Details' }).tap()
  const sheet = page.getByRole('dialog', { name: 'Send files' })
  await sheet.getByLabel('Name', { exact: true }).fill('Holiday')
  await sheet.getByRole('button', { name: 'Close' }).tap()
  await sheet.waitFor({ state: 'detached' })
  await sendButton(page).tap()
  await sheet.getByText('This field is required').waitFor()
  await sheet.getByLabel('Your name').fill('Anna')
  await sheet.getByRole('button', { name: 'Send', exact: true }).tap()
  await finishSending(page)
  expect(await readLink(token)).toMatchObject({ shares: [{ name: 'Holiday', senderName: 'Anna' }] })
  await leave()
})
