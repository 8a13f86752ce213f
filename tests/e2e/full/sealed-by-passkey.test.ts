import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { download, hashFile, writeTree } from '../harness/files.ts'
import type { Visitor } from '../harness/journey.ts'
import { addPasskey, plugIn, visitSite } from '../harness/passkeys.ts'
import { join as joinFloe } from '../harness/people.ts'
import { finishSending, sendButton, sendOptions } from '../harness/reverse-shares.ts'
import { useJourney } from '../harness/use-journey.ts'

const journey = useJourney()

/** Somebody with a passkey on a device that, unless told otherwise, makes keys of salts. */
async function visitWithPasskey(device?: { hasPrf: boolean }): Promise<Visitor> {
  const visitor = await visitSite(journey)
  const person = await joinFloe(visitor)
  await plugIn(visitor, device)
  await visitor.page.goto('/account')
  await addPasskey(visitor.page, person, 'Laptop')
  return visitor
}

async function beginLink(page: Page): Promise<void> {
  await page.goto('/account/reverseShares?create')
  await page.getByRole('switch', { name: 'End-to-end encryption' }).check()
}

/** The path of the link that is shown then. */
async function makeLink(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Create reverse share' })
  await dialog.getByLabel('Maximum uses').fill('9')
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  const { pathname, hash } = new URL(await page.getByLabel('Reverse share link').inputValue())
  return pathname + hash
}

async function send(link: string, name: string): Promise<void> {
  const { page } = await journey.visit()
  await page.goto(link)
  await page.getByLabel('Files to upload').setInputFiles(join(journey.folder, 'words.txt'))
  await sendOptions(page).getByLabel('Name', { exact: true }).fill(name)
  await sendButton(page).click()
  await finishSending(page)
}

test('a passkey opens what was sent, and the next link, without the passphrase', async () => {
  await writeTree(journey.folder, { 'words.txt': 'meet me at nine' })
  const { page } = await visitWithPasskey()
  await beginLink(page)
  await page.getByLabel('New passphrase').fill('four words of mine')
  await page.getByRole('switch', { name: 'Unlock with a passkey, too' }).check()
  const link = await makeLink(page)
  await send(link, 'Letters')

  // Loaded anew, the page has nothing that opens it.
  await page.goto('/account/reverseShares')
  await page.getByRole('button', { name: '1 share' }).click()
  await page.getByRole('button', { name: 'Open Letters', exact: true }).click()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  const saved = await download(page, page.getByRole('link', { name: 'Download', exact: true }))
  expect(saved.sha256).toBe(await hashFile(join(journey.folder, 'words.txt')))

  await beginLink(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByLabel('Passphrase or recovery code').waitFor({ state: 'detached' })
  expect((await makeLink(page)).split('#')[1]).toBe(link.split('#')[1])
})

test('a passkey that makes no keys is said to, and nothing is made with it', async () => {
  const { page } = await visitWithPasskey({ hasPrf: false })
  await beginLink(page)
  await page.getByLabel('New passphrase').fill('four words of mine')
  await page.getByRole('switch', { name: 'Unlock with a passkey, too' }).check()
  const dialog = page.getByRole('dialog', { name: 'Create reverse share' })
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await dialog.getByText('This passkey cannot unlock encrypted files.').waitFor()
  await page.goto('/account/reverseShares')
  await page.getByRole('button', { name: 'Create' }).first().waitFor()
  expect(await page.getByRole('button', { name: /^Link to/ }).count()).toBe(0)
})

test('who has no passkey is not asked for one', async () => {
  const visitor = await visitSite(journey)
  await joinFloe(visitor)
  const listed = visitor.page.waitForResponse('**/api/auth/passkeys')
  await beginLink(visitor.page)
  await (await listed).finished()
  await visitor.page.getByLabel('New passphrase').waitFor()
  expect(await visitor.page.getByRole('switch', { name: /passkey/ }).count()).toBe(0)
})
