// Makes the pictures of docs/screenshots: `node --conditions=source --import tsx
// tests/e2e/screenshots.ts`, optionally with the names of the screens to take again.
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startSmtpCatcher } from '@floe/testing'
import { generateSync } from 'otplib'
import type { Page } from 'playwright-core'
import { type Journey, startJourney, type Visitor } from './harness/journey.ts'
import { looks, wear } from './harness/looks.ts'
import { collectMails } from './harness/mails.ts'
import { writeHole } from './harness/files.ts'
import { configure, join as joinFloe, type Person, signIn } from './harness/people.ts'
import { makeShare } from './harness/shares.ts'
import {
  beginShare,
  shareOptions,
  takeLine,
  totalProgress,
  waitForProgress,
} from './harness/uploading.ts'

const target = fileURLToPath(new URL('../../docs/screenshots', import.meta.url))
const wanted = new Set(process.argv.slice(2))
const place = 'https://floe.example.org'
/** Name in the film roll → size. Chosen on the upload page, never sent. */
const reel = {
  'Interview Marit, camera A.mov': 4_212_000_000,
  'Interview Marit, camera B.mov': 3_870_500_000,
  'Room tone.wav': 48_200_000,
  'Release form, signed.pdf': 1_240_000,
  'Shot list.txt': 2_100,
}

/** `again` shows the screen once more in each look, where it keeps sizes of the one before. */
async function shoot(page: Page, name: string, again?: () => Promise<void>): Promise<void> {
  if (wanted.size > 0 && !wanted.has(name)) return
  for (const look of looks) {
    await wear(page, look)
    await again?.()
    await page.evaluate('document.fonts.ready.then(() => window.scrollTo(0, 0))')
    const path = join(target, `${name}-${look.device}-${look.colorScheme}.png`)
    await page.screenshot({ path, caret: 'hide', animations: 'disabled' })
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}

async function show(page: Page, path: string, heading: string | RegExp): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { name: heading }).first().waitFor()
  // The menus and the logo come after the heading.
  await page.waitForLoadState('networkidle')
}

async function fill(owner: Visitor): Promise<void> {
  const { request } = owner.context
  const bytes = (megabytes: number) => randomBytes(megabytes * 1_000_000)
  await makeShare(request, {
    id: 'harbour-house',
    name: 'Harbour House, handover',
    description:
      'Drawings and photos for the handover on Thursday.\nThe plans folder holds the latest revision only.',
    expiration: '3-weeks',
    files: {
      'Plans/Ground floor, rev F.pdf': bytes(3),
      'Plans/First floor, rev F.pdf': bytes(2),
      'Plans/Sections.dwg': bytes(6),
      'Photos/Façade south.jpg': bytes(4),
      'Photos/Staircase.jpg': bytes(3),
      'Handover protocol.docx': bytes(1),
      'Cost overview 2026.xlsx': randomBytes(84_000),
      'Read me first.txt': 'Start with the protocol.\n',
      'Walkthrough.mp4': bytes(28),
    },
  })
  await makeShare(request, {
    id: 'wedding-raw',
    name: 'Ida & Jonas, all photos',
    description: 'Unedited, please do not post',
    password: 'sunflower',
    expiration: '2-months',
    files: { 'Ceremony.zip': bytes(31), 'Party.zip': bytes(24) },
  })
  await makeShare(request, {
    id: 'q3-figures',
    name: 'Figures, third quarter',
    maxViews: 5,
    files: { 'Figures Q3.xlsx': randomBytes(412_000) },
  })
  await makeShare(request, {
    id: 'typeface-specimen',
    name: 'Type specimen',
    description: 'Print-ready, 300 dpi',
    expiration: 'never',
    files: { 'Specimen.pdf': bytes(9) },
  })
}

async function takeUploadPictures(journey: Journey, page: Page): Promise<void> {
  await show(page, '/upload', 'Drop files or folders here')
  await shoot(page, 'upload')
  const files: string[] = []
  for (const [name, sizeBytes] of Object.entries(reel)) {
    const path = join(journey.folder, name)
    await writeHole(path, sizeBytes)
    files.push(path)
  }
  const line = await takeLine(page)
  await line.set({ uploadBytesPerSecond: 60_000_000 })
  await page.getByLabel('Files to upload').setInputFiles(files)
  const options = shareOptions(page)
  await options.getByLabel('Link').fill('marit-interview')
  await options.getByText('This link is available').waitFor()
  await page.getByText(/left$/).first().waitFor()
  await shoot(page, 'upload-chosen')
  await options.getByRole('button', { name: 'Name and description' }).click()
  await options.getByRole('textbox', { name: 'Name' }).fill('Interview Marit')
  await shoot(page, 'create-share')

  await page.goto('/upload')
  await beginShare(page, { files, link: 'marit-interview' })
  await waitForProgress(totalProgress(page), 2)
  await page.getByRole('button', { name: 'Pause Interview Marit, camera B.mov' }).click()
  await page.getByText(/left$/).first().waitFor()
  await shoot(page, 'uploading')
  await page.getByRole('button', { name: 'Cancel upload' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel upload' }).click()
  await page.getByRole('heading', { name: 'Drop files or folders here' }).waitFor()

  await line.set({})
  await beginShare(page, { files: files.slice(3), link: 'marit-papers' })
  const done = page.getByRole('dialog', { name: 'Your share is ready' })
  await done.getByRole('button', { name: 'Show QR code' }).click()
  await done.getByRole('img', { name: 'QR code of the share link' }).waitFor()
  await shoot(page, 'share-ready')
  await done.getByRole('button', { name: 'Done' }).click()
}

/** Sets the second factor up, signs in with it and forgets the password. */
async function takeSignInPictures(
  journey: Journey,
  { page, person }: { page: Page; person: Person },
): Promise<void> {
  await show(page, '/account', 'My account')
  const section = page.getByRole('region', { name: 'Two-factor authentication' })
  await section.getByLabel('Password', { exact: true }).fill(person.password)
  await section.getByRole('button', { name: 'Enable' }).click()
  const setup = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
  await setup.getByRole('img', { name: /^QR code/ }).waitFor()
  await shoot(page, 'totp-setup')
  const key = await setup.getByLabel('Setup key').inputValue()
  const code = generateSync({ secret: key.replaceAll(' ', '') })
  await setup.getByLabel('Digit 1 of 6').pressSequentially(code)
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
  await shoot(page, 'recovery-codes')

  const { page: elsewhere, leave } = await journey.visit()
  await elsewhere.goto('/auth/signIn')
  await signIn(elsewhere, person)
  await elsewhere.getByLabel('Digit 1 of 6').waitFor()
  await shoot(elsewhere, 'second-factor')
  await show(elsewhere, '/auth/resetPassword', 'Reset your password')
  await shoot(elsewhere, 'reset-password')
  await show(elsewhere, '/auth/resetPassword/any-token', 'Choose a password')
  await shoot(elsewhere, 'new-password')
  await show(elsewhere, '/error?error=no_user&params=provider_discord', 'Something went wrong')
  await shoot(elsewhere, 'sign-in-failed')
  await leave()
}

/** As a mail program shows them; of all kinds only where they are asked for. */
async function takeMailPictures(journey: Journey, admin: Visitor): Promise<void> {
  const smtp = await startSmtpCatcher()
  const person = { username: 'ida', email: 'ida@example.org', password: 'a long password' }
  const ida = await journey.visit()
  const member = { ...ida, person: await joinFloe(ida, person) }
  const note = 'The photos of Saturday.\nPlease do not post them.'
  const mails = await collectMails(journey, { admin, member, smtp, note, appUrl: place })
  const { page, leave } = await journey.visit()
  const logo = await page.request.get('/img/logo.png')
  const body = await logo.body()
  await page.route(`${place}/img/logo.png`, (route) => route.fulfill({ body }))
  for (const [kind, { html }] of Object.entries(mails)) {
    const name = `mail-${kind}`
    if (kind !== 'share' && !wanted.has(name) && !wanted.has('mails')) continue
    await page.setContent(html)
    for (const { device, colorScheme, viewport } of looks) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ ...viewport, height: 640 })
      await page.screenshot({ path: join(target, `${name}-${device}-${colorScheme}.png`) })
    }
  }
  await Promise.all([leave(), ida.leave()])
  await smtp.stop()
}

async function takePictures(journey: Journey): Promise<void> {
  const owner = await journey.visit()
  const { page } = owner
  const person = { username: 'marit', email: 'marit@example.org', password: 'a long password' }
  await joinFloe(owner, person)
  await configure(owner, {
    'general.appUrl': place,
    'smtp.enabled': true,
    ...Object.fromEntries(
      ['github', 'google', 'discord'].flatMap((provider) => [
        [`oauth.${provider}-enabled`, true],
        [`oauth.${provider}-clientId`, 'floe'],
        [`oauth.${provider}-clientSecret`, 'a secret'],
      ]),
    ),
  })
  await fill(owner)

  const visitor = await journey.visit()
  await show(visitor.page, '/', /^Send files of any size/)
  await shoot(visitor.page, 'home')
  await show(visitor.page, '/auth/signIn', 'Welcome back')
  await visitor.page.getByRole('link', { name: 'Continue with GitHub' }).waitFor()
  await shoot(visitor.page, 'sign-in')
  await show(visitor.page, '/auth/signUp', 'Create an account')
  await shoot(visitor.page, 'sign-up')
  await show(visitor.page, '/s/wedding-raw', 'Password required')
  await shoot(visitor.page, 'share-password')
  await show(visitor.page, '/s/harbour-house', 'Harbour House, handover')
  await shoot(visitor.page, 'share')
  await visitor.page.getByRole('button', { name: 'Preview Read me first.txt' }).click()
  await visitor.page.getByText('Start with the protocol.').waitFor()
  await shoot(visitor.page, 'preview')
  await show(visitor.page, '/s/nothing-here', 'Share not found')
  await shoot(visitor.page, 'share-not-found')
  await visitor.leave()

  await show(page, '/admin/intro', /^Welcome to/)
  await shoot(page, 'intro')
  await show(page, '/account/shares', 'My shares')
  await page.getByRole('table').waitFor()
  await shoot(page, 'my-shares')
  await page.getByRole('button', { name: 'Info about Harbour House, handover' }).click()
  await page.getByRole('dialog', { name: 'Share info' }).waitFor()
  await shoot(page, 'share-info')
  const edit = () => show(page, '/share/harbour-house/edit', 'Edit Harbour House, handover')
  await edit()
  await shoot(page, 'share-edit', edit)
  await show(page, '/account', 'My account')
  await shoot(page, 'account')
  await show(page, '/admin', 'Administration')
  await shoot(page, 'administration')
  await page.goto('/admin/config/share')
  await page.getByLabel('Allow registration').waitFor()
  await shoot(page, 'configuration')
  await show(page, '/admin/config/oauth', 'Social login')
  await page.getByRole('group', { name: 'GitHub' }).waitFor()
  await shoot(page, 'configuration-social-login')
  await show(page, '/no/such/page', 'Page not found')
  await shoot(page, 'not-found')
  await takeMailPictures(journey, owner)
  await takeUploadPictures(journey, page)
  await takeSignInPictures(journey, { page, person })
}

await mkdir(target, { recursive: true })
const journey = await startJourney()
try {
  await takePictures(journey)
} finally {
  await journey.end()
}
