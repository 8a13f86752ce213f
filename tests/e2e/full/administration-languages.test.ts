import { languages } from '@floe/contracts'
import { beforeAll, expect, test } from 'vitest'
import type { Visitor } from '../harness/journey.ts'
import { findUnfitTexts, widths } from '../harness/languages.ts'
import { join } from '../harness/people.ts'
import { useOwnFloe } from '../harness/use-journey.ts'

const journey = useOwnFloe({ isNew: true })
let first: Visitor

beforeAll(async () => {
  first = await journey.visit()
  const password = 'a long enough password'
  await join(first, { username: 'ida', email: 'ida@example.org', password })
})

const paths = ['/admin/intro', '/admin/audit', '/admin/config/smtp', '/admin/config/notices']

test.each(languages)(
  '%s fits its texts into the welcome, the audit log and the settings of mail and notices',
  async (language) => {
    const { context, page } = first
    await context.addCookies([{ name: 'language', value: language, url: journey.floe.url }])
    for (const path of paths) {
      await page.goto(path)
      await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' })
      await page.getByRole('heading').first().waitFor()
      // Nothing can be saved yet: of notices there are switches alone.
      await page.locator(':is(button, [role="switch"]):enabled').last().waitFor()
      for (const [device, size] of Object.entries(widths)) {
        await page.setViewportSize(size)
        const find = () => findUnfitTexts(page)
        await expect.poll(find, { message: `${path}, ${device}` }).toEqual([])
      }
    }
  },
)
