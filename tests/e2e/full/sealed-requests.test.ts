import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { download, hashFile, writeTree } from '../harness/files.ts'
import type { Member } from '../harness/journey.ts'
import { enter } from '../harness/people.ts'
import { finishSending, sendButton, sendOptions } from '../harness/reverse-shares.ts'
import { useJourney } from '../harness/use-journey.ts'

const PASSPHRASE = 'four words of mine'
const ANOTHER_KEY = 'A'.repeat(43)

const journey = useJourney()
let owner: Member
/** With the key of its receiver; what the browser of the owner is told, the server is not. */
let link: string
let recoveryCode: string

/** Makes a link in the page, whose dialog stays open. */
async function makeLink(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Create reverse share' })
  await dialog.getByLabel('Maximum uses').fill('9')
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  return readLink(page)
}

async function readLink(page: Page): Promise<string> {
  const field = page.getByLabel('Reverse share link')
  const { pathname, hash } = new URL(await field.inputValue())
  return pathname + hash
}

async function unlock(page: Page, text: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Passphrase or recovery code').fill(text)
  await dialog.getByRole('button', { name: 'Unlock', exact: true }).click()
}

/** Sends two files to the owner, as somebody without an account. */
async function send(name: string): Promise<string[]> {
  const { page, context } = await journey.visit()
  const sent: string[] = []
  context.on('request', (request) => {
    sent.push(request.url(), JSON.stringify(request.headers()), request.postData() ?? '')
  })
  await page.goto(link)
  await page.getByText('Encrypted: only the receiver can read it').waitFor()
  const files = ['words.txt', 'b.txt'].map((file) => join(journey.folder, file))
  await page.getByLabel('Files to upload').setInputFiles(files)
  await sendOptions(page).getByLabel('Name', { exact: true }).fill(name)
  await sendButton(page).click()
  await finishSending(page)
  return sent
}

/** What the owner received, in a browser that has unlocked nothing. */
async function openReceived(page: Page, name: string): Promise<void> {
  await page.goto('/account/reverseShares')
  await page.getByRole('button', { name: /^\d+ shares?$/ }).click()
  await page.getByRole('button', { name: `Open ${name}`, exact: true }).click()
}

async function expectWords(page: Page): Promise<void> {
  const saved = await download(page, page.getByRole('link', { name: 'Download words.txt' }))
  expect(saved.sha256).toBe(await hashFile(join(journey.folder, 'words.txt')))
}

beforeAll(async () => {
  await writeTree(journey.folder, { 'words.txt': 'meet me at nine', 'b.txt': 'b' })
  owner = await journey.visitAsMember()
  const { page } = owner
  await page.goto('/account/reverseShares?create')
  await page.getByRole('switch', { name: 'End-to-end encryption' }).check()
  await page.getByLabel('New passphrase').fill(PASSPHRASE)
  link = await makeLink(page)
  recoveryCode = await page.getByLabel('Recovery code').inputValue()
})

test('what others send is read by the owner, and by nobody else', async () => {
  expect(link).toMatch(/#r=[\w-]{43}$/)
  const sent = await send('Letters')
  for (const secret of ['words.txt', 'meet me'])
    expect(sent.filter((text) => text.includes(secret))).toEqual([])

  const { page } = owner
  await openReceived(page, 'Letters')
  await unlock(page, 'four other words')
  await page.getByText('This is neither the passphrase nor the recovery code.').waitFor()
  await unlock(page, PASSPHRASE)
  await expectWords(page)

  const visitor = await journey.visit()
  journey.problems.expectRefusals({ path: /\/api\/shares\//, status: 403 })
  await visitor.open(page.url())
  await visitor.page.getByRole('heading', { name: 'Private share' }).waitFor()
})

test('who has forgotten the passphrase reads by the recovery code, in any browser', async () => {
  await send('Diaries')
  const visitor = await journey.visit()
  await enter(visitor, owner.person)
  await openReceived(visitor.page, 'Diaries')
  await unlock(visitor.page, recoveryCode.toUpperCase().replaceAll('-', ' '))
  await expectWords(visitor.page)
})

test('another link has the same receiver, who is asked for the passphrase once', async () => {
  const visitor = await journey.visit()
  await enter(visitor, owner.person)
  const { page } = visitor
  await page.goto('/account/reverseShares?create')
  await page.getByRole('switch', { name: 'End-to-end encryption' }).check()
  const field = page.getByLabel('Passphrase or recovery code')
  await field.fill('four other words')
  const dialog = page.getByRole('dialog', { name: 'Create reverse share' })
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByText('This is neither the passphrase nor the recovery code.').waitFor()
  await field.fill(PASSPHRASE)
  const another = await makeLink(page)
  const [, key] = link.split('#')
  expect(another.split('#')[1]).toBe(key)
  expect(await page.getByLabel('Recovery code').count()).toBe(0)

  await page.getByRole('button', { name: 'Done' }).click()
  await page
    .getByRole('button', { name: /^Link to/ })
    .first()
    .click()
  expect(await readLink(page)).toMatch(/#r=/)
})

const swapped = 'This server names another receiver than your link does.'
test.each([
  ['names another receiver', swapped, { publicKey: ANOTHER_KEY }],
  ['says that nothing is encrypted', swapped, { publicKey: undefined }],
])('nothing is sent where the server %s', async (_, text, lie) => {
  const { page } = await journey.visit()
  const made: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') made.push(new URL(request.url()).pathname)
  })
  await page.route(/\/api\/reverseShares\//, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), ...lie } })
  })
  await page.goto(link)
  await page.getByText(text).waitFor()
  expect(await page.getByLabel('Files to upload').count()).toBe(0)
  expect(made.filter((path) => path.startsWith('/api/shares'))).toEqual([])
})

test('nothing is sent through a link that was cut', async () => {
  const { page } = await journey.visit()
  for (const part of [link.split('#')[0] ?? '', link.slice(0, -1)]) {
    await page.goto('about:blank')
    await page.goto(part)
    await page.getByRole('heading', { name: 'This link is not complete' }).waitFor()
  }
  await page.goto(link)
  await page.getByText('Encrypted: only the receiver can read it').waitFor()
})

test('a browser that cannot encrypt for others says so, and offers it to no owner', async () => {
  const withoutX25519 = `SubtleCrypto.prototype.generateKey = () =>
    Promise.reject(new DOMException('', 'NotSupportedError'))`
  const visitor = await journey.visit()
  await enter(visitor, owner.person)
  await visitor.context.addInitScript(withoutX25519)
  const { page } = visitor
  await page.goto(link)
  await page.getByRole('heading', { name: 'This browser cannot encrypt' }).waitFor()
  expect(await page.getByLabel('Files to upload').count()).toBe(0)
  await page.goto('/account/reverseShares?create')
  await page.getByLabel('Maximum uses').waitFor()
  await expect
    .poll(() => page.getByRole('switch', { name: 'End-to-end encryption' }).count())
    .toBe(0)
})

test('the owner passes on no public key that the server has put in the place of the right one', async () => {
  const visitor = await journey.visit()
  await enter(visitor, owner.person)
  const { page } = visitor
  await page.route(/\/api\/reverseShares$/, async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    const key = link.split('#r=')[1] ?? ''
    await route.fulfill({ response, body: text.replaceAll(key, ANOTHER_KEY) })
  })
  await page.goto('/account/reverseShares')
  await page
    .getByRole('button', { name: /^Link to/ })
    .first()
    .click()
  await unlock(page, PASSPHRASE)
  await page.getByText('This is neither the passphrase nor the recovery code.').waitFor()
  expect(await page.getByLabel('Reverse share link').count()).toBe(0)
})
