import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { enrol, openAuthenticator, scan, typeCode } from '../harness/authenticator.ts'
import { download } from '../harness/files.ts'
import type { Visitor } from '../harness/journey.ts'
import { join, type Person, signIn, signOut } from '../harness/people.ts'
import { useJourney } from '../harness/use-journey.ts'

const journey = useJourney()

beforeAll(async () => {
  journey.problems.expectRefusals(
    { path: /^\/api\/auth\/signIn\/totp$/, status: 400 },
    { path: /^\/api\/auth\/signIn\/totp$/, status: 401 },
    { path: /^\/api\/auth\/totp\/verify$/, status: 400 },
    { path: /^\/api\/auth\/totp\/(enable|disable)$/, status: 403 },
  )
})

const section = (page: Page) => page.getByRole('region', { name: 'Two-factor authentication' })
const secondStep = (page: Page) =>
  page.getByRole('heading', { name: 'Two-factor authentication', level: 1 })

/** Somebody whose second factor is on, signed in nowhere. */
async function newEnrolment() {
  const visitor = await journey.visit()
  const person = await join(visitor)
  const enrolment = await enrol(visitor, person)
  await visitor.leave()
  return { person, ...enrolment }
}

/** A new browser that has the first step behind it. */
async function arrive(person: Person, path = '/auth/signIn'): Promise<Visitor> {
  const visitor = await journey.visit()
  await visitor.open(path)
  await signIn(visitor.page, person)
  await secondStep(visitor.page).waitFor()
  return visitor
}

async function typeRecoveryCode(page: Page, code: string): Promise<void> {
  const input = page.getByLabel('Recovery code')
  if (!(await input.isVisible())) {
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
  }
  await input.fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()
}

async function recoveryCodesOf(page: Page): Promise<string[]> {
  const dialog = page.getByRole('dialog', { name: 'Save your recovery codes' })
  await dialog.waitFor()
  return dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts()
}

test('a code scanned from the page turns the second factor on, and signing in asks for it', async () => {
  const visitor = await journey.visit({ permissions: ['clipboard-read', 'clipboard-write'] })
  const person = await join(visitor)
  const { page } = visitor
  await page.goto('/account')
  const enable = section(page).getByRole('button', { name: 'Enable' })
  const current = section(page).getByLabel('Password', { exact: true })
  await enable.click()
  await section(page).getByText('This field is required').waitFor()
  await current.fill('not my password')
  await enable.click()
  await section(page).getByText('Invalid password').waitFor()
  await current.fill(person.password)
  await enable.click()
  const setup = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
  const keyUri = await scan(setup.getByRole('img', { name: 'QR code for your authenticator app' }))
  expect(decodeURIComponent(new URL(keyUri).pathname)).toContain(`Floe:${person.email}`)
  const authenticator = openAuthenticator(keyUri)
  const key = await setup.getByLabel('Setup key').inputValue()
  expect(key.replaceAll(' ', '')).toBe(authenticator.secret)
  await setup.getByRole('button', { name: 'Copy key' }).click()
  await setup.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(authenticator.secret)
  await typeCode(setup, '123')
  await setup.getByRole('button', { name: 'Verify' }).click()
  await setup.getByRole('alert').getByText('Must be exactly 6 characters').waitFor()
  await typeCode(setup, authenticator.wrongCode())
  await setup.getByRole('alert').getByText('This code is not valid').waitFor()
  await typeCode(setup, authenticator.nextCode())

  const codes = await recoveryCodesOf(page)
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
  const dialog = page.getByRole('dialog', { name: 'Save your recovery codes' })
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await dialog.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(codes.join('\n'))
  const saved = await download(page, dialog.getByRole('button', { name: 'Download' }))
  expect(saved.name).toBe('floe-recovery-codes.txt')
  expect((await readFile(saved.path, 'utf8')).split('\n')).toEqual([
    `Floe recovery codes of ${person.username}. Each works once.`,
    '',
    ...codes,
    '',
  ])
  await dialog.getByRole('button', { name: 'I have saved them' }).click()
  await section(page).getByText('Two-factor authentication is on').waitFor()
  await page.reload()
  await section(page).getByText('Two-factor authentication is on').waitFor()
  for (const code of codes) expect(await page.content()).not.toContain(code)

  await signOut(page)
  await page.goto('/account/shares')
  await signIn(page, person)
  await secondStep(page).waitFor()
  await page.getByText('Open your authenticator app and enter the code it shows.').waitFor()
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('alert').getByText('This field is required').waitFor()
  await typeCode(page, authenticator.nextCode())
  await page.getByRole('heading', { name: 'My shares' }).waitFor()
  await visitor.leave()
})

test('each recovery code signs in once, and turns the second factor off', async () => {
  const { person, recoveryCodes } = await newEnrolment()
  const [first = '', second = '', third = ''] = recoveryCodes
  const phone = await arrive(person)
  await typeRecoveryCode(phone.page, first)
  await phone.page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  await phone.leave()

  const { page, leave } = await arrive(person, '/auth/signIn?redirect=%2Faccount')
  await typeRecoveryCode(page, first)
  await page.getByRole('alert').getByText('This code is not valid').waitFor()
  await typeRecoveryCode(page, second.replaceAll('-', '').toUpperCase())
  await section(page).getByRole('button', { name: 'Disable' }).click()
  const dialog = page.getByRole('dialog', { name: 'Disable two-factor authentication?' })
  await dialog.getByLabel('Password', { exact: true }).fill('not my password')
  await dialog.getByLabel('Code').fill(third)
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await dialog.getByText('Invalid password').waitFor()
  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('alert').getByText('Two-factor authentication disabled').waitFor()
  await section(page).getByRole('button', { name: 'Enable' }).waitFor()

  await signOut(page)
  await page.goto('/auth/signIn')
  await signIn(page, person)
  await page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  await leave()
})

test('new recovery codes put an end to the earlier ones', async () => {
  const visitor = await journey.visit()
  const person = await join(visitor)
  const { authenticator, recoveryCodes } = await enrol(visitor, person)
  await visitor.open('/account')
  await section(visitor.page).getByRole('button', { name: 'New recovery codes' }).click()
  const dialog = visitor.page.getByRole('dialog', { name: 'New recovery codes' })
  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await dialog.getByLabel('Code').fill(authenticator.nextCode())
  await dialog.getByRole('button', { name: 'Create new codes' }).click()
  const newCodes = await recoveryCodesOf(visitor.page)
  expect(newCodes).toHaveLength(10)
  expect(recoveryCodes.filter((code) => newCodes.includes(code))).toEqual([])
  await visitor.leave()

  const { page, leave } = await arrive(person)
  await typeRecoveryCode(page, recoveryCodes[0] ?? '')
  await page.getByRole('alert').getByText('This code is not valid').waitFor()
  await typeRecoveryCode(page, newCodes[0] ?? '')
  await page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  await leave()
})

test('recovery codes are not lost by going back without a question', async () => {
  const visitor = await journey.visit()
  const person = await join(visitor)
  const { authenticator } = await enrol(visitor, person)
  const { page } = visitor
  await visitor.open('/account/shares')
  await visitor.open('/account')
  await page.getByRole('link', { name: 'Upload' }).click()
  await page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'My account' }).click()
  await section(page).getByRole('button', { name: 'New recovery codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'New recovery codes' })
  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await dialog.getByLabel('Code').fill(authenticator.nextCode())
  await dialog.getByRole('button', { name: 'Create new codes' }).click()
  const codes = await recoveryCodesOf(page)

  await page.evaluate('history.back()')
  await page.getByRole('button', { name: 'Leave' }).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Leave' }).waitFor({ state: 'hidden' })
  const question = page.waitForEvent('dialog')
  // To another document.
  await page.evaluate('void history.go(-3)')
  await (await question).dismiss()
  expect(await recoveryCodesOf(page)).toEqual(codes)

  await page.evaluate('history.back()')
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  await visitor.leave()
})

test('five wrong codes end the attempt, and the next one leads to where the first was going', async () => {
  const { person, authenticator } = await newEnrolment()
  const { page, leave } = await arrive(person, '/auth/signIn?redirect=%2Faccount%2Fshares')
  for (let guess = 1; guess <= 5; guess += 1) {
    await typeCode(page, authenticator.wrongCode())
    await page.getByRole('alert').getByText('This code is not valid').waitFor()
  }
  const code = authenticator.nextCode()
  await typeCode(page, code)
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor()
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await signIn(page, person)
  await secondStep(page).waitFor()
  await typeCode(page, code)
  await page.getByRole('heading', { name: 'My shares' }).waitFor()
  await leave()
})
