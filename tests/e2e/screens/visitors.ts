import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeSilence, paintPicture } from '../harness/files.ts'
import { writeFilm } from '../harness/film.ts'
import { join as joinFloe } from '../harness/people.ts'
import { makeShare } from '../harness/shares.ts'
import { hold, refuse, type Tour } from './tour.ts'

/** What strangers come to: the home page, the ways in, dead ends. */
export async function tourFront(tour: Tour): Promise<void> {
  const { journey, judge, heading, link, text, field, button } = tour
  journey.problems.expectRefusals(
    { path: /^\/api\/auth\/(?:signIn|signUp|resetPassword)$/, status: 400 },
    { path: /^\/api\/auth\/signIn$/, status: 401 },
  )
  const { page, leave } = await tour.visit()
  const main = page.getByRole('main')
  await page.goto('/')
  await heading(page, 'home.headline').waitFor()
  await judge(page, 'home')
  await page.setViewportSize({ width: 390, height: 844 })
  await button(page, 'nav.open').click()
  await link(page, 'nav.signUp').waitFor()
  await judge(page, 'menu of a stranger')

  await page.goto('/auth/signIn')
  await link(page, 'auth.social.continueWith', { provider: 'GitHub' }).waitFor()
  await judge(page, 'sign-in')
  await button(main, 'auth.signIn.submit').click()
  await text(main, 'validation.required').waitFor()
  await judge(page, 'sign-in with nothing entered')
  await field(page, 'auth.fields.identifier').fill('nobody')
  await field(page, 'auth.fields.password').fill('a wrong password')
  await button(main, 'auth.signIn.submit').click()
  await text(main, 'errors.wrongCredentials').waitFor()
  await judge(page, 'sign-in with wrong credentials')

  await page.goto('/auth/signUp')
  await heading(page, 'auth.signUp.title').waitFor()
  await judge(page, 'sign-up')
  await field(page, 'auth.fields.username').fill('a!')
  await field(page, 'auth.fields.email').fill('nobody')
  await button(main, 'auth.signUp.submit').click()
  await text(main, 'validation.email').waitFor()
  await judge(page, 'sign-up with errors')

  await page.goto('/auth/resetPassword')
  await heading(page, 'auth.reset.title').waitFor()
  await judge(page, 'reset of a password')
  await field(page, 'auth.fields.email').fill('nobody@example.org')
  await button(main, 'auth.reset.submit').click()
  await heading(page, 'auth.reset.sent').waitFor()
  await judge(page, 'sent link to a new password')
  await page.goto('/auth/resetPassword/unknown')
  await heading(page, 'auth.newPassword.title').waitFor()
  await judge(page, 'new password')
  await field(page, 'auth.newPassword.field').fill('a long enough password')
  await button(main, 'auth.newPassword.submit').click()
  await heading(page, 'auth.newPassword.over').waitFor()
  await judge(page, 'spent link to a new password')

  await page.goto('/error?error=access_denied&params=provider_oidc')
  await heading(page, 'errorPage.title').waitFor()
  await judge(page, 'error of a social sign-in')

  const release = await hold(page, /SignUpPage[^/]*\.js$/)
  await page.goto('/auth/signIn')
  await link(main, 'auth.signIn.toSignUp').click()
  await page.locator('main [aria-hidden="true"]').first().waitFor()
  await judge(page, 'page', 'on its way')
  release()
  await heading(page, 'auth.signUp.title').waitFor()
  await leave()
}

/** Shares as their visitors see them, and those that do not open. */
export async function tourShares(tour: Tour): Promise<void> {
  const { journey, judge, heading, dialog, text, field, button } = tour
  const response = /^\/api\/shares\/[\w-]+(?:\/token)?$/
  journey.problems.expectRefusals(
    { path: response, status: 403 },
    { path: response, status: 404 },
    { path: response, status: 500 },
  )
  const owner = await tour.visit()
  await joinFloe(owner)
  const { request } = owner.context
  const files = { 'notes.txt': 'Notes', 'Papers/more.txt': 'More', 'table.xyz': 'unknown' }
  await makeShare(request, { id: 'open', name: 'Harbour', description: 'For you', files })
  await makeShare(request, { id: 'once', maxViews: 1, files })
  await makeShare(request, { id: 'locked', password: 'secret', files })
  await owner.leave()

  const { page, leave } = await tour.visit()
  const release = await hold(page, /\/api\/shares\/open$/)
  await page.goto('/share/open')
  await page.locator('main [aria-hidden="true"]').first().waitFor()
  await judge(page, 'share', 'on its way')
  release()
  await page.getByRole('heading', { name: 'Harbour' }).waitFor()
  await judge(page, 'share')
  await button(page, 'share.file.details', { name: 'notes.txt' }).click()
  await dialog(page, 'share.file.detailsTitle').getByText('SHA-256').first().waitFor()
  await judge(page, 'details of a file')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'table.xyz', exact: true }).click()
  await text(page, 'share.preview.unsupported').waitFor()
  await judge(page, 'no preview')
  await page.keyboard.press('Escape')
  await button(page, 'share.file.copyLink', { name: 'notes.txt' }).click()
  await text(page, 'share.file.linkCopied').waitFor()
  await judge(page, 'notice of a copied link')
  await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('no'))
    document.execCommand = () => false`)
  await button(page, 'share.file.copyLink', { name: 'notes.txt' }).click()
  await dialog(page, 'share.file.linkTitle').waitFor()
  await judge(page, 'link to a file, to be copied by hand')
  await page.keyboard.press('Escape')
  await button(page, 'share.folders.open', { name: 'Papers' }).click()
  await page.getByText('more.txt').waitFor()
  await judge(page, 'folder of a share')
  await page.route(/\/metaData$/, (route) =>
    route.fulfill({ json: { id: 'open', isZipReady: false, progress: 0.4 } }),
  )
  await page.goto('/share/open')
  await button(page, 'share.preparingPercent', { percent: 40 }).click()
  await text(page, 'share.preparing').waitFor()
  await judge(page, 'archive being prepared')

  await page.goto('/share/locked')
  await dialog(page, 'share.password.title').waitFor()
  await judge(page, 'password of a share')
  await field(page, 'share.password.label').fill('wrong one')
  await page.keyboard.press('Enter')
  await text(page, 'share.password.invalid').waitFor()
  await judge(page, 'wrong password of a share')

  await page.goto('/share/absent')
  await heading(page, 'share.deadEnd.notFound.title').waitFor()
  await judge(page, 'absent share')
  await page.goto('/share/once')
  await page.getByText('notes.txt').first().waitFor()
  await page.context().clearCookies()
  await page.goto('/share/once')
  await heading(page, 'share.deadEnd.views.title').waitFor()
  await judge(page, 'share without views left')
  await refuse(page, /\/api\/shares\/open$/, { status: 500 })
  await page.goto('/share/open')
  await heading(page, 'share.deadEnd.unknown.title').waitFor()
  await judge(page, 'share the server fails at')
  await leave()
}

const guide = `# Guide

Read the [notes](notes.txt).

| Step | Done |
|------|------|
| One  | yes  |

- [x] packed
- [ ] sent

> Quoted

\`\`\`rust
fn main() { let name = "floe"; } // cold
\`\`\`
`

/** Files looked at without a download. */
export async function tourPreviews(tour: Tour): Promise<void> {
  const { journey, judge, button, say } = tour
  const owner = await tour.visit()
  await joinFloe(owner)
  const painter = await journey.visit()
  const scene = { width: 320, height: 200, sky: '#9fd3e8', water: '#126689' }
  const picture = await paintPicture(painter.page, scene)
  await writeFilm(painter.page, join(journey.folder, 'film.webm'), 100_000)
  await painter.leave()
  await makeShare(owner.context.request, {
    id: 'shown',
    name: 'Shown',
    files: {
      'bay.jpg': picture,
      'film.webm': await readFile(join(journey.folder, 'film.webm')),
      'guide.md': guide,
      'icon.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>',
      'main.rs': 'fn main() {\n    let name = "floe"; // cold\n}\n',
      'notes.txt': 'Notes',
      'paper.pdf': '%PDF-1.4\n%%EOF',
      'song.wav': makeSilence(),
    },
  })
  await owner.leave()

  const { page, leave } = await tour.visit()
  const gallery = page.getByText(say('share.view.gallery'), { exact: true })
  await page.goto('/share/shown')
  await gallery.waitFor()
  await page.getByRole('table').waitFor()
  await judge(page, 'list with pictures')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'bay.jpg', exact: true }).click()
  for (const [name, content] of [
    ['bay.jpg', dialog.getByRole('img', { name: 'bay.jpg' })],
    ['film.webm', dialog.locator('video')],
    ['guide.md', dialog.getByRole('article').getByText('Quoted')],
    ['icon.svg', dialog.getByRole('img', { name: 'icon.svg' })],
    ['main.rs', dialog.locator('.hljs-keyword').first()],
    ['notes.txt', dialog.getByText('Notes', { exact: true })],
    ['paper.pdf', dialog.locator('iframe')],
    ['song.wav', dialog.locator('audio')],
  ] as const) {
    await content.waitFor()
    await judge(page, `preview of ${name}`)
    if (name === 'guide.md') {
      await button(dialog, 'share.preview.showSource').click()
      await dialog.locator('pre').waitFor()
      await judge(page, 'source of a document')
    }
    if (name !== 'song.wav') await button(dialog, 'share.preview.next').click()
  }
  await page.keyboard.press('Escape')
  await gallery.click()
  await page.getByRole('table').waitFor({ state: 'detached' })
  await judge(page, 'gallery')
  await leave()
}
