import { languages, mailTemplateNames } from '@floe/contracts'
import { expect, test } from 'vitest'
import { findUnfitTexts } from '../harness/languages.ts'
import { useJourney } from '../harness/use-journey.ts'

const journey = useJourney()

test.each(languages)('%s fits messages of every kind into a narrow phone', async (language) => {
  const admin = await journey.visitAsAdministrator()
  const cookie = { name: 'language', value: language, url: journey.floe.url }
  await admin.context.addCookies([cookie])
  const { page, leave } = await journey.visit({ viewport: { width: 360, height: 640 } })
  for (const template of mailTemplateNames) {
    const preview = await admin.context.request.post('/api/configs/admin/previewEmail', {
      data: { template, subject: '', message: '' },
    })
    const { html } = (await preview.json()) as { html: string }
    await page.setContent(html)
    expect(await page.locator('html').getAttribute('lang'), template).toBe(language)
    expect(await findUnfitTexts(page), template).toEqual([])
    await page.locator('td.button').getByRole('link').waitFor()
  }
  await Promise.all([leave(), admin.leave()])
})
