import {
  type ReleaseServer,
  type SmtpCatcher,
  startReleaseServer,
  startSmtpCatcher,
} from '@floe/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolations } from '../harness/barriers.ts'
import { findUnfitTexts } from '../harness/languages.ts'
import { collectMails, type Mail } from '../harness/mails.ts'
import { collectNotices } from '../harness/notices.ts'
import { configure } from '../harness/people.ts'
import { useOwnFloe } from '../harness/use-journey.ts'

const note = `The drawings for Thursday.
They are here too: https://drawings.example.org/${'harbour-house/'.repeat(12)}`

// A Floe of its own: it is started again for the notices to administrators.
let releases: ReleaseServer
const journey = useOwnFloe(async () => {
  releases = await startReleaseServer({ version: '99.0.0', url: 'https://floe.example/99' })
  return { environment: { GITHUB_API_URL: releases.url } }
})
let smtp: SmtpCatcher
let mails: Record<string, Mail>

beforeAll(async () => {
  smtp = await startSmtpCatcher()
  const admin = await journey.visitAsAdministrator()
  const member = await journey.visitAsMember()
  mails = {
    ...(await collectMails(journey, { admin, member, smtp, note })),
    ...(await collectNotices(journey, { admin, smtp })),
  }
  await Promise.all([admin.leave(), member.leave()])
})
afterAll(async () => {
  releases?.stop()
  await smtp?.stop()
})

const grounds = { light: 'rgb(243, 247, 249)', dark: 'rgb(14, 23, 30)' } as const

// A message is no page of a site: it has neither landmarks nor headings.
const rulesOfPages = ['landmark-one-main', 'page-has-heading-one', 'region']
// Nobody knows the language of a text that an administrator has written.
const rulesOfLanguages = ['html-has-lang']

test('messages of every kind fit a narrow phone and a wide window, light and dark, without barriers', async () => {
  const { page, leave } = await journey.visit()
  for (const [kind, { html }] of Object.entries(mails)) {
    await page.setContent(html)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of [360, 600]) {
        const at = `${kind}, ${colorScheme}, ${width} px`
        await page.setViewportSize({ width, height: 800 })
        expect(await findUnfitTexts(page), at).toEqual([])
      }
      expect(await findViolations(page, rulesOfPages), `${kind}, ${colorScheme}`).toEqual([])
      const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor')
      expect(ground, kind).toBe(grounds[colorScheme])
    }
  }
  await leave()
})

test('the button of every kind says what it does, and the address under it where it leads', async () => {
  const { page, leave } = await journey.visit()
  const labels: Record<string, string> = {}
  for (const [kind, { html }] of Object.entries(mails)) {
    await page.setContent(html)
    const button = page.locator('td.button').getByRole('link')
    labels[kind] = await button.innerText()
    const address = (await button.getAttribute('href')) ?? ''
    await page.getByRole('link', { name: address, exact: true }).waitFor()
  }
  expect(labels).toEqual({
    share: 'Open the share',
    shareInArabic: 'فتح المشاركة',
    received: 'Open the share',
    downloaded: 'Open the share',
    reminder: 'Open the share',
    newPassword: 'Choose a new password',
    invite: 'Choose your password',
    emailChange: 'Go to your account',
    confirmEmail: 'Confirm the address',
    test: expect.stringMatching(/^Open /),
    storageNotice: 'Open the administration',
    failedJobsNotice: 'Open the administration',
    newReleaseNotice: 'Open the administration',
    newAccountNotice: 'Open the administration',
  })
  await leave()
})

test('buttons and links follow the accent color of the site, and can be read light and dark', async () => {
  const admin = await journey.visitAsAdministrator()
  const { page, leave } = await journey.visit()
  const colorsIn = async (accentColor: string) => {
    await configure(admin, { 'appearance.accentColor': accentColor })
    const message = 'See https://drawings.example.org first.\n\n{shareUrl}\n\n{desc}'
    const data = { template: 'shareReminder', subject: '', message }
    const preview = await admin.context.request.post('/api/configs/admin/previewEmail', { data })
    await page.setContent(((await preview.json()) as Mail).html)
    const colors: unknown[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await findViolations(page, [...rulesOfPages, ...rulesOfLanguages])).toEqual([])
      colors.push(
        await page.evaluate(
          `[getComputedStyle(document.querySelector('td.button')).backgroundColor,
            getComputedStyle(document.querySelector('a.link')).color]`,
        ),
      )
    }
    return colors
  }
  const own = await colorsIn('')
  expect(own).toEqual([
    ['rgb(18, 102, 137)', 'rgb(18, 102, 137)'],
    ['rgb(27, 126, 166)', 'rgb(124, 195, 222)'],
  ])
  for (const accentColor of ['#ffee00', '#ff0000', '#7c3aed']) {
    const colors = await colorsIn(accentColor)
    for (const [at, pair] of colors.entries()) expect(pair).not.toEqual(own[at])
  }
  await configure(admin, { 'appearance.accentColor': '' })
  await Promise.all([admin.leave(), leave()])
})

test('every message sent has its address in the plain text beside it, and no gaps in either', async () => {
  const { page, leave } = await journey.visit()
  const sent = Object.entries(mails).filter(([, { text }]) => text !== undefined)
  expect(sent).toHaveLength(13)
  for (const [kind, { html, text = '' }] of sent) {
    await page.setContent(html)
    const address = await page.locator('td.button').getByRole('link').getAttribute('href')
    expect(text.split('\n'), kind).toContain(address)
    expect(text, kind).not.toMatch(/\n\n\n|^\n|\n\n$/)
    const paragraphs = await page.getByRole('paragraph').allInnerTexts()
    expect(paragraphs.filter((paragraph) => paragraph.trim() === '')).toEqual([])
  }
  await leave()
})
