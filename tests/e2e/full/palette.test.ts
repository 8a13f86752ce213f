import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Visitor } from '../harness/journey.ts'
import { makeReverseShare } from '../harness/reverse-shares.ts'
import { makeShare } from '../harness/shares.ts'
import { useJourney } from '../harness/use-journey.ts'

const journey = useJourney()
let admin: Visitor
let page: Page

beforeAll(async () => {
  admin = await journey.visitAsAdministrator()
  page = admin.page
  await makeShare(admin.context.request, {
    id: 'skerry',
    name: 'Skerries',
    files: { 'a.txt': 'a' },
  })
})

const dialog = (of = page) => of.getByRole('dialog', { name: 'Search or jump to…' })
const path = (of = page) => new URL(of.url()).pathname + new URL(of.url()).hash

/** The page may still load what the palette consists of. */
const ready = (of = page) => dialog(of).getByRole('combobox').and(of.locator(':focus')).waitFor()

async function open(of = page): Promise<void> {
  await of.keyboard.press('Control+K')
  await ready(of)
}

async function choose(text: string, of = page): Promise<void> {
  await open(of)
  await of.keyboard.type(text)
  await of.keyboard.press('Enter')
  await dialog(of).waitFor({ state: 'detached' })
}

test('a few letters and Enter lead to a share, to a dialog and to the field of a setting', async () => {
  await page.goto('/account')
  await open()
  await dialog().getByRole('option', { name: 'Skerries' }).waitFor()
  await page.keyboard.press('Escape')
  await choose('skerr')
  await page.getByRole('heading', { name: 'Skerries' }).waitFor()
  expect(path()).toBe('/share/skerry')

  await choose('receive')
  const create = page.getByRole('dialog', { name: 'Create reverse share' })
  await create.waitFor()
  // In front of the page, keys are the dialog's.
  await page.keyboard.press('Control+K')
  expect(await dialog().count()).toBe(0)
  await page.keyboard.press('Escape')
  await create.waitFor({ state: 'detached' })

  const focused = (label: string) => page.getByLabel(label).and(page.locator(':focus')).waitFor()
  await choose('smtp host')
  await focused('Host')
  expect(path()).toBe('/admin/config/smtp#smtp.host')
  // On the same page, where nothing has to come first.
  await choose('smtp port')
  await focused('Port')
  await choose('github client id')
  await page.getByRole('group', { name: 'GitHub' }).getByLabel('Client ID').waitFor()
  await focused('Client ID')
})

test('a page with changes asks before the palette leads away from it', async () => {
  await page.goto('/admin/config/general')
  await page.getByLabel('App name').fill('Ice')
  await choose('audit log')
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(path()).toBe('/admin/config/general')
  await choose('audit log')
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('heading', { name: 'Audit log' }).waitFor()
})

test('arrows choose what the field says next, and Escape gives the focus back', async () => {
  await page.goto('/account/shares')
  const button = page.getByRole('button', { name: 'Search or jump to…' })
  await button.click()
  await ready()
  const field = dialog().getByRole('combobox')
  await page.keyboard.type('client')
  // The list has caught up with the field.
  await dialog().getByRole('option', { name: 'Search all shares for “client”' }).waitFor()
  const said: (string | null)[] = []
  for (let turn = 0; turn < 12; turn += 1) {
    await page.keyboard.press('ArrowDown')
    const id = await field.getAttribute('aria-activedescendant')
    const option = page.locator(`[id="${id}"]`).and(page.getByRole('option', { selected: true }))
    said.push(await option.textContent())
    await expect.poll(() => page.evaluate(`(${IS_IN_SIGHT})('${id}')`)).toBe(true)
  }
  expect(new Set(said).size).toBe(said.length)
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  await expect.poll(() => button.and(page.locator(':focus')).count()).toBe(1)
})

test('keys pressed before the list has caught up choose from what was typed', async () => {
  await page.goto('/account/shares')
  await open()
  await page.evaluate(`(${PRESS_AT_ONCE})('skerr', ['ArrowDown', 'Enter'])`)
  // After the share of that name.
  await page.waitForURL('**/admin/users?search=skerr')
})

/** Text and keys within one task of the page, which cannot draw in between. */
const PRESS_AT_ONCE = `async (text, keys) => {
  const field = document.activeElement
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
  setValue.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  for (const key of keys) {
    // The field knows what was typed.
    await null
    field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  }
}`

/** Not scrolled out of its list. */
const IS_IN_SIGHT = `(id) => {
  const option = document.getElementById(id)
  const { top, bottom } = option.getBoundingClientRect()
  const list = option.closest('[role="listbox"]').getBoundingClientRect()
  return top >= list.top - 1 && bottom <= list.bottom + 1
}`

test('a member finds it in the menu of a phone, without anything of the administration', async () => {
  const member = await journey.visitAsMember({ viewport: { width: 390, height: 844 } })
  await makeReverseShare(member.context.request, { token: 'letterbox' })
  await member.open('/upload')
  await member.page.getByRole('button', { name: 'Open menu' }).click()
  await member.page.getByRole('button', { name: 'Search or jump to…' }).click()
  await ready(member.page)
  await member.page.keyboard.type('letter')
  await dialog(member.page).getByRole('option', { name: 'letterbox' }).click()
  const link = member.page.getByRole('dialog', { name: 'Your link to receive files' })
  await link.waitFor()
  await member.page.keyboard.press('Escape')
  await link.waitFor({ state: 'detached' })
  await open(member.page)
  await member.page.keyboard.type('configuration')
  await dialog(member.page).getByText('Nothing matches your search.').waitFor()
  await member.leave()
})

test('a visitor of a share, whose page speaks no more than its frame, has it too', async () => {
  const visitor = await journey.visit()
  await visitor.open('/share/skerry')
  await visitor.page.getByRole('heading', { name: 'Skerries' }).waitFor()
  await choose('deutsch', visitor.page)
  await visitor.page.locator('html[lang="de"]').waitFor()
  await visitor.leave()
})
