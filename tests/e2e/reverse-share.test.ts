import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashesOf, unzip, writeRandomFile, writeTree } from './harness/files.ts'
import type { Member } from './harness/journey.ts'
import { linkOf, receive } from './harness/messages.ts'
import { configure } from './harness/people.ts'
import {
  beginSending,
  fillReverseShare,
  finishSending,
  makeReverseShare,
  openReverseShare,
  sendButton,
} from './harness/reverse-shares.ts'
import { takeLine } from './harness/uploading.ts'
import { useJourney } from './harness/use-journey.ts'

const password = 'puffin-7'
const folderPaths = ['Quotes/roof.txt', 'Quotes/windows/front.txt', 'Quotes/windows/plan.bin']
const tooLarge = (size: string) => `Your files exceed the maximum share size of ${size}`

const journey = useJourney()
let smtp: SmtpCatcher
let owner: Member
/** The link under test, as its owner got it. */
let token: string

beforeAll(async () => {
  smtp = await startSmtpCatcher()
  owner = await journey.visitAsMember()
  await configure(await journey.visitAsAdministrator(), {
    'general.appUrl': journey.floe.url,
    'smtp.enabled': true,
    'smtp.host': smtp.host,
    'smtp.port': smtp.port,
    'smtp.email': 'floe@mail.test',
  })
  await writeTree(journey.folder, {
    'Quotes/roof.txt': 'two weeks, from May',
    'Quotes/windows/front.txt': 'oak',
  })
  const planBytes = { sizeBytes: 12_000_000, seed: 'plan' }
  await writeRandomFile(join(journey.folder, 'Quotes/windows/plan.bin'), planBytes)
  await writeRandomFile(join(journey.folder, 'film.bin'), { sizeBytes: 51_000_000, seed: 'film' })
})

afterAll(() => smtp?.stop())

const inFolder = (...names: string[]) => names.map((name) => join(journey.folder, name))
const limits = (page: Page) => page.getByRole('list', { name: 'Limits of this link' })

test('a link is made with a password, two uses and 50 MB', async () => {
  const { page } = owner
  await page.goto('/upload')
  await page.getByRole('button', { name: 'Shares' }).click()
  await page.getByRole('menuitem', { name: 'Reverse shares' }).click()
  await page.getByRole('heading', { name: 'No reverse shares yet' }).waitFor()
  await page.getByText('Create a link. Anyone who has it can send you files').waitFor()
  await page.getByRole('button', { name: 'Create one' }).click()
  const create = page.getByRole('dialog', { name: 'Create reverse share' })
  await create.getByLabel('Expires in').fill('2')
  await create.getByLabel('Unit', { exact: true }).selectOption('week')
  const expiry = create.getByText(/^This link expires on /)
  const expiresAt = (await expiry.innerText()).replace('This link expires on ', '')
  await fillReverseShare(page, { size: 50, unit: 'MB', uses: 2, notify: true, password })
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Your link to receive files' })
  const link = await dialog.getByLabel('Reverse share link').inputValue()
  await dialog.getByRole('img', { name: 'QR code of the reverse share link' }).waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('row', { name: /50 MB/ })
  await row.getByRole('cell', { name: '2', exact: true }).waitFor()
  expect(new URL(link).origin).toBe(journey.floe.url)
  token = new URL(link).pathname.split('/').at(-1) ?? ''
  await expect
    .poll(() => page.getByRole('columnheader').allInnerTexts())
    .toEqual(['Shares', 'Remaining uses', 'Max share size', 'Expires at'])
  const cells = await row.getByRole('cell').allInnerTexts()
  expect(cells[0]).toContain('No shares yet')
  // Two weeks from now, to the minute that the dialog was looked at.
  expect(cells[3]?.split(' at ')[0]).toBe(expiresAt.split(' at ')[0])

  await row.getByRole('button', { name: `Link to ${token}` }).click()
  await expect.poll(() => dialog.getByLabel('Reverse share link').inputValue()).toBe(link)
  await dialog.getByRole('button', { name: 'Done' }).click()
})

test('a stranger without its password gets no further', async () => {
  journey.problems.expectRefusals({
    path: new RegExp(`^/api/reverseShares/${token}/access$`),
    status: 403,
  })
  const { page, leave } = await journey.visit()
  await page.goto(`/upload/${token}`)
  const dialog = page.getByRole('dialog', { name: 'Password required' })
  await dialog.getByLabel('Password', { exact: true }).fill('penguin')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('Invalid password').waitFor()
  await expect.poll(() => page.getByLabel('Files to upload').count()).toBe(0)
  await leave()
})

test('a folder sent through it arrives, and its owner is told and downloads all of it', async () => {
  const sender = await journey.visit()
  await openReverseShare(sender.page, token, password)
  await limits(sender.page).getByText('Up to 50 MB').waitFor()
  await beginSending(sender.page, { folder: join(journey.folder, 'Quotes') })
  expect(await finishSending(sender.page)).toBe(true)
  await limits(sender.page).getByText('Can be used 1 more time').waitFor()
  await sender.leave()

  const message = await receive(smtp, owner.person.email)
  const { page } = owner
  await page.goto(linkOf(message))
  const saving = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download all' }).click()
  const archive = join(journey.folder, 'received.zip')
  await (await saving).saveAs(archive)
  const received = join(journey.folder, 'received')
  await unzip(archive, received)
  expect(await hashesOf(received, folderPaths)).toEqual(await hashesOf(journey.folder, folderPaths))
})

test('files that are too large are refused before anything is sent', async () => {
  const sender = await journey.visit()
  await openReverseShare(sender.page, token, password)
  await sender.page.getByLabel('Files to upload').setInputFiles(inFolder('film.bin'))
  await sender.page.getByRole('alert').getByText(tooLarge('50 MB')).waitFor()
  await expectNothingChosen(sender.page)
  await sender.leave()
})

test('files that became too large are refused during the upload', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/uploads$/, status: 413 })
  const sender = await journey.visit()
  await openReverseShare(sender.page, token, password)
  const { page } = owner
  await page.goto('/account/reverseShares')
  await setSize(page, '5')
  await beginSending(sender.page, { files: inFolder('Quotes/windows/plan.bin') })
  await sender.page.getByRole('alert').getByText(tooLarge('5 MB')).waitFor()
  await sender.page.getByRole('button', { name: 'Cancel upload' }).click()
  const question = sender.page.getByRole('dialog', { name: 'Cancel this upload?' })
  await question.getByRole('button', { name: 'Cancel upload' }).click()
  await limits(sender.page).getByText('Up to 5 MB').waitFor()
  // What was given up costs no use.
  await limits(sender.page).getByText('Can be used 1 more time').waitFor()
  await sender.leave()
  await setSize(page, '50')
})

test('a third use is refused, to those who come late and to those who were about to send', async () => {
  journey.problems.expectRefusals({
    path: new RegExp(`^/api/reverseShares/${token}$`),
    status: 404,
  })
  const files = inFolder('Quotes/roof.txt')
  const [second, third] = await Promise.all([journey.visit(), journey.visit()])
  await openReverseShare(second.page, token, password)
  await openReverseShare(third.page, token, password)
  await beginSending(second.page, { files })
  await finishSending(second.page)

  journey.problems.expectRefusals({ path: /^\/api\/shares$/, status: 404 })
  await third.page.getByLabel('Files to upload').setInputFiles(files)
  await third.page.getByRole('heading', { name: 'This link does not work' }).waitFor()

  const { page } = owner
  await page.goto('/account/reverseShares')
  await page.getByText('Used up').waitFor()
  await page.getByRole('button', { name: /2 shares/ }).click()
  const list = page.getByRole('list', { name: /^Shares received through / })
  await expect.poll(() => list.getByRole('listitem').count()).toBe(2)
  await Promise.all([second.leave(), third.leave()])
})

test('one who is asked for a name is known by it, and the owner deletes what came', async () => {
  const asking = await makeReverseShare(owner.context.request, {
    name: 'Quotes for the house',
    askSenderName: true,
    publicAccess: false,
  })
  // The link is used up by the first share; the sender's page learns of it too.
  journey.problems.expectRefusals({
    path: new RegExp(`^/api/reverseShares/${asking}$`),
    status: 404,
  })
  const sender = await journey.visit()
  await openReverseShare(sender.page, asking)
  await beginSending(sender.page, {
    files: inFolder('Quotes/roof.txt'),
    senderName: 'Anna from next door',
  })
  expect(await finishSending(sender.page)).toBe(false)
  await sender.leave()

  const { page } = owner
  await page.goto('/account/reverseShares')
  await page.getByRole('button', { name: '1 share', exact: true }).click()
  const list = page.getByRole('list', { name: 'Shares received through Quotes for the house' })
  await list.getByText('From Anna from next door', { exact: false }).waitFor()
  const address = (await list.getByRole('link', { name: /^Open / }).getAttribute('href')) ?? ''
  const curious = await journey.visit()
  await curious.open(address)
  await curious.page.getByRole('heading', { name: 'Private share' }).waitFor()
  await curious.page.getByText('Only its owner can open this share.').waitFor()
  await curious.leave()
  await list.getByRole('button', { name: /^Delete / }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await list.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByRole('row', { name: /Quotes for the house/ }).count()).toBe(1)
})

test('a share that another one was faster than cannot be finished, and says why', async () => {
  const contested = await makeReverseShare(owner.context.request, { uses: 1 })
  journey.problems.expectRefusals(
    { path: new RegExp(`^/api/reverseShares/${contested}$`), status: 404 },
    { path: /^\/api\/shares\/[\w-]+\/complete$/, status: 403 },
  )
  const [slow, fast] = await Promise.all([journey.visit(), journey.visit()])
  await openReverseShare(slow.page, contested)
  await openReverseShare(fast.page, contested)
  const line = await takeLine(slow.page)
  await line.set({ uploadBytesPerSecond: 1_500_000 })
  await beginSending(slow.page, { files: inFolder('Quotes/roof.txt', 'Quotes/windows/plan.bin') })
  await slow.page.getByRole('button', { name: 'Pause plan.bin' }).click()
  await beginSending(fast.page, { files: inFolder('Quotes/roof.txt') })
  await finishSending(fast.page)
  await line.set({})
  await slow.page.getByRole('button', { name: 'Resume plan.bin' }).click()
  const failed = slow.page.getByRole('alert', {
    name: 'An error occurred while finishing your share',
  })
  await failed.getByText('This link has no uses left').waitFor()
  await expect.poll(() => sendButton(slow.page).isEnabled()).toBe(true)
  await Promise.all([slow.leave(), fast.leave()])
})

test('a deleted link says before that its shares go with it, and they do', async () => {
  const { page } = owner
  await page.goto('/account/reverseShares')
  const row = page.getByRole('row', { name: new RegExp(token) })
  await row.getByRole('button', { name: '2 shares' }).click()
  const received = page.getByRole('list', { name: `Shares received through ${token}` })
  const share = received.getByRole('link', { name: /^Open / }).first()
  const address = (await share.getAttribute('href')) ?? ''
  await row.getByRole('button', { name: `Delete ${token}` }).click()
  const ask = page.getByRole('dialog', { name: `Delete ${token}?` })
  await ask
    .getByText('This also deletes 2 received shares and their files. The link stops working.')
    .waitFor()
  await ask.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alert').getByText('Reverse share deleted').waitFor()
  // The row of what was received goes with it.
  await row.first().waitFor({ state: 'detached' })
  const visitor = await journey.visit()
  journey.problems.expectRefusals({ path: /^\/api\/shares\//, status: 404 })
  await visitor.open(address)
  await visitor.page.getByRole('heading', { name: 'Share not found' }).waitFor()
  await visitor.leave()
})

async function expectNothingChosen(page: Page): Promise<void> {
  await expect.poll(() => page.getByRole('table').count()).toBe(0)
  await expect.poll(() => sendButton(page).isDisabled()).toBe(true)
}

/** Changes the only link's size by the page. */
async function setSize(page: Page, megabytes: string): Promise<void> {
  await page.getByRole('button', { name: `Edit ${token}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit reverse share' })
  await dialog.getByLabel('Maximum share size').fill(megabytes)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
}
