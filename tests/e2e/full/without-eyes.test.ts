import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { hashFile, writeRandomFile } from '../harness/files.ts'
import { listen, tabThrough, tabTo } from '../harness/focus.ts'
import type { Member } from '../harness/journey.ts'
import { newPerson } from '../harness/people.ts'
import { makeShare } from '../harness/shares.ts'
import { findMute, readAloud } from '../harness/spoken.ts'
import { fileRow, shareButton, shareOptions } from '../harness/uploading.ts'
import { useJourney } from '../harness/use-journey.ts'

// No pointer here: only keys, and what Chromium tells screen readers.

const journey = useJourney()
let owner: Member

beforeAll(async () => {
  owner = await journey.visitAsMember()
})

/** What is read says all of this, and has nothing that cannot be made out. */
async function expectRead(page: Page, lines: (string | RegExp)[]): Promise<void> {
  const wanted = lines.map((line) => (line instanceof RegExp ? expect.stringMatching(line) : line))
  await expect.poll(() => readAloud(page)).toEqual(expect.arrayContaining(wanted))
  expect(await findMute(page)).toEqual([])
}

async function pressOn(target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(target.page(), target)
  await target.page().keyboard.press(key)
}

async function typeInto(field: Locator, text: string): Promise<void> {
  await tabTo(field.page(), field)
  await field.page().keyboard.press('Control+A')
  await field.page().keyboard.type(text)
}

/** Opens a menu of the bar and goes down to one of its entries. */
async function choose(page: Page, menu: string, entry: string): Promise<void> {
  await pressOn(page.getByRole('button', { name: menu }))
  const item = page.getByRole('menuitem', { name: entry })
  await item.waitFor()
  await expect.poll(() => page.locator('[role=menu]:focus-within').count()).toBe(1)
  const isThere = () => item.and(page.locator(':focus')).count()
  for (let presses = 0; (await isThere()) === 0; presses += 1) {
    if (presses > 10) throw new Error(`no arrow leads to ${entry}`)
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
}

const isFocused = (element: Locator) => element.and(element.page().locator(':focus')).count()

/** Opens a dialog, has it read, and closes it; the focus is back where it was. */
async function openAndClose(trigger: Locator, dialog: string): Promise<void> {
  const page = trigger.page()
  await pressOn(trigger)
  await page.getByRole('dialog', { name: dialog }).waitFor()
  await expectRead(page, [`dialog: ${dialog}`])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => isFocused(trigger)).toBe(1)
}

const PLANT = `(() => {
  const plant = (html) => document.querySelector('main').insertAdjacentHTML('beforeend', html)
  plant('<button></button><h1>Again</h1><h4>Too deep</h4><table role="table"><tr><td>1</td></tr></table>')
})()`

test('what nobody could make out is found where it was put', async () => {
  const { page, leave } = await journey.visit()
  await page.goto('/auth/signIn')
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await findMute(page)).toEqual([])
  await page.evaluate(PLANT)
  expect(await findMute(page)).toEqual([
    expect.stringMatching(/^a button without a name, within main/),
    '2 headings of level 1',
    'a heading of level 4 below one that is higher by two',
    '1 tables without heads',
  ])
  await leave()
})

test('somebody sends a file, from the sign-in to the copied link', async () => {
  const { page, context, leave } = await journey.visit({ permissions: ['clipboard-read'] })
  const link = `crossing-${Date.now()}`
  const path = join(journey.folder, 'crossing.bin')
  await writeRandomFile(path, { sizeBytes: 3_000_000, seed: 'crossing' })
  const main = page.getByRole('main')

  await page.goto('/auth/signIn')
  await main.getByRole('button', { name: 'Sign in' }).waitFor()
  await expectRead(page, [
    'heading 1: Welcome back',
    'textbox: Email or username',
    'textbox: Password',
    'button: Sign in',
  ])
  await pressOn(page.getByRole('link', { name: 'Skip to content' }))
  await page.keyboard.press('Tab')
  await expect.poll(() => main.locator(':focus').count()).toBe(1)
  await pressOn(main.getByRole('button', { name: 'Sign in' }))
  await expectRead(page, ['textbox: Password (This field is required) [invalid]'])
  await typeInto(main.getByLabel('Email or username'), owner.person.username)
  await typeInto(main.getByLabel('Password', { exact: true }), owner.person.password)
  const heard = await listen(page)
  await page.keyboard.press('Enter')

  await page.getByRole('heading', { name: 'Drop files or folders here' }).waitFor()
  await expect.poll(heard).toContain('Upload')
  await expectRead(page, ['heading 1: Upload', 'button: Choose files'])
  await tabThrough(page)
  const chooser = page.waitForEvent('filechooser')
  await pressOn(main.getByRole('button', { name: 'Choose files' }))
  await (await chooser).setFiles(path)
  await fileRow(page, 'crossing.bin').waitFor()
  const options = shareOptions(page)
  await typeInto(options.getByLabel('Link'), 'a')
  await pressOn(shareButton(page))
  await expectRead(page, [
    'button: Remove crossing.bin',
    'region: Create share',
    'textbox: Link (Must be at least 3 characters) [invalid]',
    /^textbox: Expires in \(This share expires on .*\)$/,
    'progressbar: Total progress',
    'button: Share',
  ])
  await tabThrough(page)
  await typeInto(options.getByLabel('Link'), link)
  await pressOn(options.getByRole('button', { name: 'Security options' }))
  await typeInto(options.getByLabel('Password', { exact: true }), 'ferryman')
  await pressOn(shareButton(page))

  const done = page.getByRole('dialog', { name: 'Your share is ready' })
  await done.waitFor()
  const news = [expect.stringMatching(/^\d+% · crossing.bin$/), 'Uploaded · crossing.bin']
  await expect.poll(heard).toEqual(expect.arrayContaining(news))
  await expectRead(page, [
    'dialog: Your share is ready',
    'heading 2: Your share is ready',
    'textbox: Share link',
    'button: Copy link',
  ])
  await pressOn(done.getByRole('button', { name: 'Copy link' }))
  await expect.poll(heard).toContain('Copied')
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(new RegExp(`/s/${link}$`))
  const opened = context.waitForEvent('page')
  const open = done.getByRole('link', { name: 'Open share' })
  await pressOn(open)
  const other = await opened
  await other.getByRole('heading', { name: 'crossing.bin' }).waitFor()
  await other.close()
  await page.bringToFront()
  // A Chromium without windows gives a page that comes back its first link instead of its last one.
  await open.focus()
  await pressOn(done.getByRole('button', { name: 'Done' }))

  await choose(page, 'Shares', 'My shares')
  await expect.poll(heard).toContain('My shares')
  await expectRead(page, [
    'heading 1: My shares',
    'columnheader: Name',
    'columnheader: Expires at',
    `checkbox: Choose ${link}`,
    `button: Info about ${link}`,
    `link: Edit ${link}`,
  ])
  await openAndClose(page.getByRole('button', { name: `Delete ${link}` }), `Delete ${link}?`)
  await leave()
})

test('somebody receives files: the password, a look, a choice and a download', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/shares\/ferry\/token$/, status: 403 })
  const path = join(journey.folder, 'cargo.bin')
  const sha256 = await writeRandomFile(path, { sizeBytes: 300_000, seed: 'cargo' })
  await makeShare(owner.context.request, {
    ...{ id: 'ferry', name: 'Ferry', password: 'ferryman' },
    files: { 'cargo.bin': await readFile(path), 'a.txt': 'Ahoy', 'Papers/b.txt': 'Bill' },
  })
  const { page, leave } = await journey.visit()
  await page.goto('/s/ferry')
  const gate = page.getByRole('dialog', { name: 'Password required' })
  const password = gate.getByLabel('Password', { exact: true })
  await gate.waitFor()
  await pressOn(gate.getByRole('button', { name: 'Open share' }))
  await expectRead(page, [
    'dialog: Password required',
    'textbox: Password (This field is required) [invalid]',
  ])
  await typeInto(password, 'ferrymen')
  await page.keyboard.press('Enter')
  await expectRead(page, ['textbox: Password (Invalid password) [invalid]'])
  await typeInto(password, 'ferryman')
  await page.keyboard.press('Enter')

  await page.getByRole('heading', { name: 'Ferry', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Download all' }).waitFor()
  await expectRead(page, [
    'heading 1: Ferry',
    'link: Download all',
    'columnheader: Name',
    'columnheader: Size',
    'button: Open folder Papers',
    'link: Download cargo.bin',
    'combobox: Language',
    'combobox: Color scheme',
  ])
  await tabThrough(page)
  await pressOn(page.getByRole('columnheader').getByRole('button', { name: 'Size' }), 'Space')
  await page.locator('[aria-sort="ascending"]').getByText('Size').waitFor()
  await openAndClose(page.getByRole('button', { name: 'Details of a.txt' }), 'File details')

  await pressOn(page.getByRole('button', { name: 'Preview a.txt' }))
  await page.getByRole('dialog', { name: 'a.txt' }).waitFor()
  await expectRead(page, ['dialog: a.txt', 'link: Download', 'button: Next file'])
  await page.keyboard.press('ArrowRight')
  await page.getByRole('dialog', { name: 'cargo.bin' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => isFocused(page.getByRole('button', { name: 'Preview a.txt' }))).toBe(1)

  await pressOn(page.getByRole('button', { name: 'Select' }), 'Space')
  await pressOn(page.getByRole('checkbox', { name: 'Select cargo.bin' }), 'Space')
  await expectRead(page, ['button: Select [pressed]', 'checkbox: Select cargo.bin [checked]'])
  const saved = page.waitForEvent('download')
  await pressOn(page.getByRole('button', { name: 'Download 1 file' }))
  expect(await hashFile(await (await saved).path())).toBe(sha256)
  await leave()
})

test('an administrator makes an account, changes a setting and reads the log', async () => {
  const { page, leave } = await journey.visitAsAdministrator()
  const main = page.getByRole('main')
  const { username, email, password } = newPerson()
  await page.goto('/upload')
  await page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  const heard = await listen(page)
  await choose(page, 'Account menu', 'Administration')
  await expect.poll(heard).toContain('Administration')
  await page.getByRole('heading', { name: 'Jobs' }).waitFor()
  await expectRead(page, ['heading 1: Administration', /^link: User management/])
  await pressOn(main.getByRole('link', { name: /^User management/ }))
  await expect.poll(heard).toContain('User management')
  await page.getByRole('table').waitFor()
  await expectRead(page, [
    'heading 1: User management',
    'searchbox: Search by name or email',
    'columnheader: Username',
    'columnheader: Storage used',
    'button: Edit admin',
  ])
  await tabThrough(page)

  await pressOn(main.getByRole('button', { name: 'Create user' }))
  const dialog = page.getByRole('dialog', { name: 'Create user' })
  await dialog.waitFor()
  await pressOn(dialog.getByRole('button', { name: 'Create user' }))
  await expectRead(page, [
    'dialog: Create user',
    'textbox: Username (This field is required) [invalid]',
    'textbox: Password (This field is required) [invalid]',
    'switch: Administrator',
  ])
  await typeInto(dialog.getByLabel('Username'), username)
  await typeInto(dialog.getByLabel('Email'), email)
  await typeInto(dialog.getByLabel('Password', { exact: true }), password)
  await page.keyboard.press('Enter')
  await expect.poll(heard).toContain('User created')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => isFocused(main.getByRole('button', { name: 'Create user' }))).toBe(1)
  await page.keyboard.press('/')
  await page.keyboard.type(username)
  await main.getByRole('button', { name: 'Delete admin' }).waitFor({ state: 'detached' })
  await openAndClose(main.getByRole('button', { name: `Edit ${username}` }), `Edit ${username}`)
  await pressOn(main.getByRole('button', { name: `Delete ${username}` }))
  await pressOn(page.getByRole('dialog').getByRole('button', { name: 'Delete' }))
  await expect.poll(heard).toContain('User deleted')
  await expect.poll(heard).toContain('Nothing matches your search.')

  await pressOn(main.getByRole('link', { name: 'Back to administration' }))
  await pressOn(main.getByRole('link', { name: /^Configuration/ }))
  await expect.poll(heard).toContain('General · Configuration')
  await page.getByLabel('App name').waitFor()
  await expectRead(page, [
    'navigation: Categories',
    'heading 1: General',
    'textbox: App name (Shown in the navigation bar, in page titles and in emails.)',
    'button: Save [disabled]',
  ])
  await tabThrough(page)
  await typeInto(page.getByLabel('App name'), 'Ferry')
  await expectRead(page, [/^textbox: App name \(.* Changed\)$/])
  await pressOn(page.getByRole('link', { name: 'Share', exact: true }))
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  await question.waitFor()
  await expectRead(page, ['dialog: Discard your changes?', 'button: Discard changes'])
  await pressOn(question.getByRole('button', { name: 'Cancel' }))
  await pressOn(page.getByRole('button', { name: 'Save', exact: true }))
  await expect.poll(heard).toContain('Configuration saved')

  await pressOn(page.getByRole('link', { name: 'Back to administration' }))
  await pressOn(main.getByRole('link', { name: /^Audit log/ }))
  await expect.poll(heard).toContain('Audit log')
  await page.getByRole('table').waitFor()
  await expect.poll(() => page.title()).toBe('Audit log – Ferry')
  await expectRead(page, [
    'heading 1: Audit log',
    'combobox: Action',
    'columnheader: Action',
    'columnheader: IP address',
  ])
  await leave()
})
