import { languageNames } from '@floe/contracts'
import { beforeAll, expect, test } from 'vitest'
import {
  findUnfitTexts,
  invitePeople,
  type People,
  screens,
  showScreen,
  widths,
} from './harness/languages.ts'
import { useJourney } from './harness/use-journey.ts'

const journey = useJourney()
let people: People

beforeAll(async () => {
  people = await invitePeople(journey)
  await Promise.all([people.member.open('/'), people.stranger.open('/')])
})

test('a text that is cut, broken, overlapped or too wide is found', async () => {
  const page = await people.stranger.context.newPage()
  await page.setViewportSize(widths.phone)
  const found: Record<string, string> = {
    'cut: Herunterladen': '<p style="width:40px;overflow:hidden">Herunterladen</p>',
    'overlap: One / Two': '<p>One</p><p style="margin-top:-34px">Two</p>',
    'broken: Herunterladen': '<h2 style="width:90px;overflow-wrap:anywhere">Herunterladen</h2>',
    'the page is 500px wide': '<p style="width:500px">Wide</p>',
  }
  for (const [problem, html] of Object.entries(found)) {
    await page.setContent(`<body style="margin:0">${html}`)
    expect(await findUnfitTexts(page)).toEqual([problem])
  }
  await page.close()
})

test('Arabic is mirrored: what stands first stands on the right', async () => {
  const [home] = screens
  const page = await showScreen(people, home, 'ar')
  await page.setViewportSize(widths.desktop)
  await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl')
  const brand = await page.getByRole('banner').getByRole('link').first().boundingBox()
  expect(brand?.x).toBeGreaterThan(widths.desktop.width / 2)
})

test('without a choice the browser decides: its language, one related to it, or English', async () => {
  const offers = {
    'fr-FR': ['fr', 'Se connecter'],
    'fr-CA': ['fr', 'Se connecter'],
    'pt-PT': ['pt-BR', 'Entrar'],
    'zh-HK': ['zh-TW', '登入'],
    'cs-CZ': ['en', 'Sign in'],
  }
  for (const [locale, [language = '', signIn = '']] of Object.entries(offers)) {
    const { page, context, leave } = await journey.visit({ locale })
    const response = await page.goto('/')
    // Chosen by what the browser asks for, before any script runs.
    expect(await response?.text(), locale).toContain(`<html lang="${language}"`)
    const bar = page.getByRole('banner').getByRole('navigation')
    await bar.getByRole('link', { name: signIn, exact: true }).waitFor()
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(language)

    await context.addCookies([{ name: 'language', value: 'de', url: journey.floe.url }])
    await page.reload()
    await bar.getByRole('link', { name: 'Anmelden', exact: true }).waitFor()
    await leave()
  }
})

test('every language is offered by its own name, and chosen for a year', async () => {
  const { context, page } = people.member
  await page.setViewportSize(widths.desktop)
  await page.goto('/account')
  const picker = page.getByRole('combobox').filter({ hasText: 'Deutsch' })
  await picker.waitFor()
  await expect
    .poll(() => picker.locator('option').allInnerTexts())
    .toEqual(expect.arrayContaining(Object.values(languageNames)))
  await picker.selectOption('日本語')
  await page.locator('html[lang="ja"]').waitFor({ state: 'attached' })
  const cookie = (await context.cookies()).find(({ name }) => name === 'language')
  expect(cookie?.value).toBe('ja')
  const year = 365 * 24 * 60 * 60
  expect(Math.abs((cookie?.expires ?? 0) - Date.now() / 1000 - year)).toBeLessThan(3_600)
})
