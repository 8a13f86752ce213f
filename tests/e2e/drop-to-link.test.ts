import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { dropOn, writeTree } from './harness/files.ts'
import { shareButton } from './harness/uploading.ts'
import { useJourney } from './harness/use-journey.ts'

const journey = useJourney()

/** Counts what a person presses, buttons and keys. */
async function countPresses(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(`
    window.presses = 0
    for (const type of ['pointerdown', 'keydown']) {
      addEventListener(type, () => { window.presses += 1 }, { capture: true })
    }
  `)
  return () => page.evaluate('window.presses')
}

test('from a dropped file to a copied link it takes at most three presses', async () => {
  await writeTree(journey.folder, { 'report.pdf': 'Annual report' })
  const { page, context, leave } = await journey.visitAsMember()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/upload')
  const presses = await countPresses(page)
  await dropOn(page, page.getByRole('heading', { name: 'Drop files or folders here' }), [
    join(journey.folder, 'report.pdf'),
  ])
  await shareButton(page).click()
  const done = page.getByRole('dialog', { name: 'Your share is ready' })
  await done.getByRole('button', { name: 'Copy link' }).click()
  await done.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await presses()).toBeLessThanOrEqual(3)
  expect(await presses()).toBeGreaterThan(0)

  const link = String(await page.evaluate('navigator.clipboard.readText()'))
  const visitor = await journey.visit()
  await visitor.page.goto(link)
  await visitor.page.getByRole('heading', { name: 'report.pdf', level: 1 }).waitFor()
  await visitor.leave()
  await leave()
})
