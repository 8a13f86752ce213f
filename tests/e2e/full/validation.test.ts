import { addDuration, durationUnits } from '@floe/contracts'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Visitor } from '../harness/journey.ts'
import { configure, newPerson, type Person, signIn } from '../harness/people.ts'
import { makeShare } from '../harness/shares.ts'
import { fileRow, finishShare, shareButton, shareOptions } from '../harness/uploading.ts'
import { useJourney } from '../harness/use-journey.ts'

const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('Hello') }

/** 256 bytes of UTF-8 in 88 characters. */
const longName = `${'水'.repeat(84)}.txt`

const journey = useJourney()
let admin: Visitor
let page: Page
let person: Person

beforeAll(async () => {
  admin = await journey.visitAsAdministrator()
  const owner = await journey.visitAsMember()
  ;({ page, person } = owner)
  await configure(admin, { 'smtp.enabled': true, 'email.enableShareEmailRecipients': true })
  await makeShare(owner.context.request, { id: 'taken', files: { 'a.txt': 'a' } })
})

/** Types into a field and sends its form; then the field itself must say why not. */
async function refuses(field: Locator, submit: Locator, wrong: Record<string, string>) {
  for (const [value, text] of Object.entries(wrong)) {
    await field.fill(value)
    await submit.click()
    await expect.poll(() => describe(field), { message: value }).toContain(text)
  }
}

/** What a screen reader tells of a field beside its name: its hint and what is wrong with it. */
async function describe(field: Locator): Promise<string> {
  const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? []
  const texts = ids.map((id) => field.page().locator(`[id="${id}"]`).allInnerTexts())
  return (await Promise.all(texts)).flat().join(' ')
}

async function openOptions(): Promise<Locator> {
  await page.goto('/')
  await page.getByRole('heading', { name: 'Drop files or folders here' }).waitFor()
  await page.getByLabel('Files to upload').setInputFiles(note)
  await shareOptions(page).waitFor()
  return shareOptions(page)
}

test('an account needs a name, an address and a password that can be used', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/auth\/signUp$/, status: 400 })
  const stranger = await journey.visit()
  await stranger.open('/')
  await stranger.page.getByRole('banner').getByRole('link', { name: 'Sign up' }).click()
  const form = stranger.page.getByRole('main')
  const username = form.getByLabel('Username')
  const email = form.getByLabel('Email')
  const password = form.getByLabel('Password', { exact: true })
  const submit = form.getByRole('button', { name: 'Sign up' })
  await refuses(username, submit, {
    '': 'This field is required',
    ab: 'Must be at least 3 characters',
    ['a'.repeat(33)]: 'Must be at most 32 characters',
    'a b c': 'Can only contain letters, numbers, dots and underscores',
  })
  await refuses(email, submit, { '': 'This field is required', 'me@': 'Invalid email address' })
  await refuses(password, submit, {
    '': 'This field is required',
    '1234567': 'Must be at least 8 characters',
    ['a'.repeat(1025)]: 'Must be at most 1024 characters',
  })
  const newcomer = newPerson()
  await password.fill(newcomer.password)
  await username.fill(newcomer.username)
  await refuses(email, submit, { [person.email]: 'A user with this email already exists' })
  await email.fill(newcomer.email)
  await refuses(username, submit, {
    [person.username]: 'A user with this username already exists',
  })
  await username.fill(newcomer.username)
  await submit.click()
  await stranger.page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  await stranger.leave()
})

test('signing in takes a name or an address, and both fields', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/auth\/signIn$/, status: 401 })
  const stranger = await journey.visit()
  await stranger.open('/')
  await stranger.page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
  const form = stranger.page.getByRole('main')
  await form.getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(() => form.getByText('This field is required').count()).toBe(2)
  await signIn(stranger.page, { ...person, username: `not.${person.email}` })
  await form.getByRole('alert').getByText('Wrong email, username or password').waitFor()
  await signIn(stranger.page, { ...person, username: person.email })
  await stranger.page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  await stranger.leave()
})

test('a share that cannot be made says beside each field why', async () => {
  // Somebody may be faster than the question whether a link is free.
  journey.problems.expectRefusals({ path: /^\/api\/shares\/[\w-]+\/complete$/, status: 400 })
  const dialog = await openOptions()
  const submit = shareButton(page)
  await refuses(dialog.getByLabel('Link'), submit, {
    '': 'This field is required',
    ab: 'Must be at least 3 characters',
    ['a'.repeat(51)]: 'Must be at most 50 characters',
    'a share': 'Can only contain letters, numbers, underscores, and hyphens',
    taken: 'This link is already in use',
  })
  await dialog.getByRole('button', { name: 'Generate' }).click()
  const amount = dialog.getByLabel('Expires in')
  await amount.fill('')
  await submit.click()
  await dialog.getByText('Must be a number', { exact: true }).waitFor()
  await amount.fill('0')
  await dialog.getByText('Must be a number of at least 1').waitFor()
  await amount.fill('1')
  await dialog.getByRole('button', { name: 'Name and description' }).click()
  await refuses(dialog.getByRole('textbox', { name: 'Name' }), submit, {
    ab: 'Must be at least 3 characters',
    ['a'.repeat(31)]: 'Must be at most 30 characters',
  })
  await refuses(dialog.getByRole('textbox', { name: 'Description' }), submit, {
    ['a'.repeat(513)]: 'Must be at most 512 characters',
  })
  await dialog.getByRole('button', { name: 'Email recipients' }).click()
  const recipients = dialog.getByRole('textbox', { name: 'Recipients' })
  const crowd = Array.from({ length: 101 }, (_, index) => `crew-${index}@example.org`)
  await recipients.fill(crowd.join(', '))
  await recipients.press('Tab')
  await submit.click()
  await dialog.getByText('At most 100 recipients').waitFor()
  await recipients.pressSequentially('nobody@ ')
  await dialog.getByText('Invalid email address').waitFor()
  await dialog.getByRole('button', { name: 'Security options' }).click()
  await refuses(dialog.getByLabel('Password', { exact: true }), submit, {
    ab: 'Must be at least 3 characters',
    ['a'.repeat(31)]: 'Must be at most 30 characters',
  })
  expect(await page.getByRole('heading', { name: 'Uploading' }).count()).toBe(0)
  // Closed and chosen anew, what was wrong is gone with the dialog.
  await configure(admin, { 'share.maxExpiration': 48 })
  const limited = await openOptions()
  await limited.getByLabel('Unit').selectOption('week')
  await limited.getByText(/^Expiration exceeds maximum expiration date of \w+ \d+, \d{4}/).waitFor()
  await expect.poll(() => limited.getByLabel('Never expires').count()).toBe(0)
  await configure(admin, { 'share.maxExpiration': 0 })
})

test('a share ends after minutes, hours, days, weeks, months or years, or never', async () => {
  const dialog = await openOptions()
  const unitField = dialog.getByLabel('Unit')
  const amount = dialog.getByLabel('Expires in')
  const unitsNow = async () => unitField.getByRole('option').allInnerTexts()
  await amount.fill('1')
  expect(await unitsNow()).toEqual(['Minute', 'Hour', 'Day', 'Week', 'Month', 'Year'])
  await amount.fill('2')
  expect(await unitsNow()).toEqual(['Minutes', 'Hours', 'Days', 'Weeks', 'Months', 'Years'])
  for (const unit of durationUnits) {
    await unitField.selectOption(unit)
    const end = addDuration(new Date(), { amount: 2, unit })
    const day = new Intl.DateTimeFormat('en', { dateStyle: 'long' }).format(end)
    await dialog.getByText(`This share expires on ${day}`).waitFor()
  }
  await dialog.getByLabel('Never expires').check()
  await dialog.getByText('This share never expires').waitFor()
  await expect.poll(() => amount.isDisabled()).toBe(true)
  await dialog.getByLabel('Link').fill('for-ever')
  await shareButton(page).click()
  const done = page.getByRole('dialog', { name: 'Your share is ready' })
  await done.getByText('This share never expires').waitFor()
  const link = await finishShare(page)

  const visitor = await journey.visit()
  await visitor.page.goto(link)
  await visitor.page.getByText(/This share never expires$/).waitFor()
  await visitor.leave()
})

test('files that exceed the maximum size are refused as they are chosen', async () => {
  await configure(admin, { 'share.maxSize': 1_000 })
  await page.goto('/')
  await page.getByText('Up to 1 kB in total.').waitFor()
  const files = page.getByLabel('Files to upload')
  await files.setInputFiles({ ...note, buffer: Buffer.alloc(1_001) })
  const refusal = 'Your files exceed the maximum share size of 1 kB'
  await page.getByRole('alert').getByText(refusal).waitFor()
  await expect.poll(() => fileRow(page, 'note.txt').count()).toBe(0)
  // What is exactly as large is not too large.
  await files.setInputFiles({ ...note, buffer: Buffer.alloc(1_000) })
  await fileRow(page, 'note.txt').waitFor()
  await page.getByRole('button', { name: 'Write text' }).click()
  const text = page.getByRole('dialog', { name: 'Write text' })
  await refuses(text.getByLabel('File name'), text.getByRole('button', { name: 'Add' }), {
    'notes/today.txt': 'Contains characters that are not allowed',
    [longName]: 'The name of this file is too long.',
  })
  await configure(admin, { 'share.maxSize': 0 })
})

test('a file whose name no file system keeps is refused, and its row says why', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/uploads$/, status: 400 })
  await page.goto('/')
  await page.getByLabel('Files to upload').setInputFiles({ ...note, name: longName })
  const row = page.getByRole('list', { name: 'Files being uploaded' }).getByRole('listitem')
  await row.getByText('The name of this file is too long.').waitFor()
})

test('the limits of a reverse share are numbers, within what is allowed', async () => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Shares' }).click()
  await page.getByRole('menuitem', { name: 'Reverse shares' }).click()
  await page.getByRole('button', { name: 'Create one' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create reverse share' })
  const submit = dialog.getByRole('button', { name: 'Create', exact: true })
  const size = dialog.getByLabel('Maximum share size')
  const uses = dialog.getByLabel('Maximum uses')
  await dialog.getByLabel('Expires in').fill('')
  await submit.click()
  await dialog.getByText('Must be a number', { exact: true }).waitFor()
  await refuses(size, submit, { '': 'Must be a number', '0': 'Must be greater than 0' })
  await refuses(uses, submit, { '': 'Must be a number' })
  await uses.fill('1001')
  await uses.press('Enter')
  await expect.poll(() => describe(uses)).toContain('Must be a number from 1 to 1000')
  expect(await page.getByRole('dialog', { name: 'Your link to receive files' }).count()).toBe(0)
})
