import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Visitor } from './harness/journey.ts'
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
