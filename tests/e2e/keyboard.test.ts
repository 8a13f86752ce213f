import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { hashFile, writeRandomFile } from './harness/files.ts'
import { listen, tabTo } from './harness/focus.ts'
import type { Visitor } from './harness/journey.ts'
import { join as joinFloe, newPerson } from './harness/people.ts'
import { makeReverseShare } from './harness/reverse-shares.ts'
import { makeShare } from './harness/shares.ts'
import { useJourney } from './harness/use-journey.ts'

const journey = useJourney()
let owner: Visitor

beforeAll(async () => {
  owner = await journey.visitAsMember()
  const { request } = owner.context
  await makeShare(request, { id: 'fjord', files: { 'a.txt': 'a', 'b.txt': 'b' } })
  await makeReverseShare(request, { token: 'inbox' })
})

/** Opens a dialog and closes it, both by the keyboard. */
async function openAndEscape(page: Page, trigger: Locator): Promise<void> {
  await trigger.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
}

const isFocused = (element: Locator) => element.and(element.page().locator(':focus')).count()

test('a closed dialog gives the focus back to what opened it', async () => {
  const { page } = owner
  const places: Record<string, string[]> = {
    '/account/shares': ['Info about fjord', 'Delete fjord'],
    '/account/reverseShares': ['Edit inbox', 'Delete inbox', 'Create'],
    '/share/fjord': ['Preview a.txt', 'Details of a.txt'],
  }
  for (const [path, names] of Object.entries(places)) {
    await page.goto(path)
    for (const name of names) {
      const trigger = page.getByRole('main').getByRole('button', { name })
      await openAndEscape(page, trigger)
      await expect.poll(() => isFocused(trigger), { message: `${path}: ${name}` }).toBe(1)
    }
  }
})

test('the last of several dialogs gives the focus back to where the first began', async () => {
  const { page } = owner
  await page.goto('/account/reverseShares')
  const trigger = page.getByRole('main').getByRole('button', { name: 'Create' })
  await trigger.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Create reverse share' }).waitFor()
  await page.keyboard.press('Enter')
  const link = page.getByRole('dialog', { name: 'Your link to receive files' })
  await link.waitFor()
  await page.keyboard.press('Escape')
  await link.waitFor({ state: 'detached' })
  await expect.poll(() => isFocused(trigger)).toBe(1)
})

test('keys alone lead from the sign-in to a share and to its download, seen and said throughout', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/shares\/crossing\/token$/, status: 403 })
  const person = newPerson()
  await joinFloe({ context: owner.context }, person)
  const { page, context, leave } = await journey.visit()
  const path = join(journey.folder, 'crossing.bin')
  const sha256 = await writeRandomFile(path, { sizeBytes: 3_000_000, seed: 'crossing' })
  const press = (key: string) => page.keyboard.press(key)
  const type = (text: string) => page.keyboard.type(text)
  const main = page.getByRole('main')

  await page.goto('/auth/signIn')
  await main.getByRole('button', { name: 'Sign in' }).waitFor()
  await tabTo(page, page.getByRole('link', { name: 'Skip to the content' }))
  await press('Enter')
  await press('Tab')
  await expect.poll(() => main.locator(':focus').count()).toBe(1)
  await tabTo(page, main.getByLabel('Email or username'))
  await type(person.username)
  await tabTo(page, main.getByLabel('Password', { exact: true }))
  await type(person.password)
  await press('Enter')

  await page.getByRole('heading', { name: 'Drop files or folders here' }).waitFor()
  const heard = await listen(page)
  const chooser = page.waitForEvent('filechooser')
  await tabTo(page, main.getByRole('button', { name: 'Choose files' }))
  await press('Enter')
  await (await chooser).setFiles(path)
  await page.getByRole('cell', { name: 'crossing.bin', exact: true }).waitFor()
  await tabTo(page, main.getByRole('button', { name: 'Share', exact: true }))
  await press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Create share' })
  await tabTo(page, dialog.getByLabel('Link'))
  await press('Control+A')
  await type('crossing')
  await tabTo(page, dialog.getByRole('button', { name: 'Security options' }))
  await press('Enter')
  await tabTo(page, dialog.getByLabel('Password', { exact: true }))
  await type('ferryman')
  await tabTo(page, dialog.getByRole('button', { name: 'Share', exact: true }))
  await press('Enter')

  const done = page.getByRole('dialog', { name: 'Your share is ready' })
  await done.waitFor()
  const news = [expect.stringMatching(/^\d+% · crossing.bin$/), 'Uploaded · crossing.bin']
  await expect.poll(heard).toEqual(expect.arrayContaining(news))
  const opened = context.waitForEvent('page')
  await tabTo(page, done.getByRole('link', { name: 'Open share' }))
  await press('Enter')
  const share = await opened

  const gate = share.getByRole('dialog', { name: 'Password required' })
  await tabTo(share, gate.getByLabel('Password', { exact: true }))
  await share.keyboard.type('ferrymen')
  await share.keyboard.press('Enter')
  await gate.getByText('Invalid password').waitFor()
  await share.keyboard.press('Control+A')
  await share.keyboard.type('ferryman')
  await share.keyboard.press('Enter')
  const saved = share.waitForEvent('download')
  await tabTo(share, share.getByRole('link', { name: 'Download crossing.bin' }))
  await share.keyboard.press('Enter')
  expect(await hashFile(await (await saved).path())).toBe(sha256)
  await leave()
})
