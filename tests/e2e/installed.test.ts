import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Member } from './harness/journey.ts'
import { type Person, signIn } from './harness/people.ts'
import { fileRow, finishShare, shareButton, shareOptions } from './harness/uploading.ts'
import { useJourney } from './harness/use-journey.ts'

const journey = useJourney()
let owner: Member
let page: Page
let person: Person

beforeAll(async () => {
  owner = await journey.visitAsMember()
  ;({ page, person } = owner)
})

interface Handed {
  /** Name → content. */
  files?: Readonly<Record<string, string>>
  text?: string
}

/** Posts the form that a phone posts when somebody chooses this site under "Share to…". */
async function shareTo({ files = {}, text = '' }: Handed, landing = /\/upload$/): Promise<void> {
  await page.evaluate(
    `(({ files, text }) => {
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', enctype: 'multipart/form-data', action: '/share-target' })
      const field = (type, name) => {
        const input = document.createElement('input')
        Object.assign(input, { type, name, multiple: true })
        form.append(input)
        return input
      }
      const chosen = new DataTransfer()
      for (const [name, content] of Object.entries(files)) chosen.items.add(new File([content], name))
      field('file', 'files').files = chosen.files
      field('text', 'text').value = text
      document.body.append(form)
      form.submit()
    })(${JSON.stringify({ files, text })})`,
  )
  await page.waitForURL(landing)
}

const READY = `navigator.serviceWorker.getRegistration('/share-target')
  .then((registration) => registration?.active?.state === 'activated')`

async function openUploadPage(): Promise<void> {
  await page.goto('/upload')
  await page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  await expect.poll(() => page.evaluate(READY)).toBe(true)
}

test('the browser finds nothing wrong with the manifest, in the language of the page', async () => {
  const visitor = await journey.visit({ locale: 'de-DE' })
  await visitor.open('/')
  const devtools = await visitor.context.newCDPSession(visitor.page)
  const { errors, data, url } = await devtools.send('Page.getAppManifest')
  expect(errors).toEqual([])
  expect(new URL(url).pathname).toBe('/manifests/de.webmanifest')
  const manifest = JSON.parse(data ?? '{}') as {
    icons: { src: string; purpose?: string }[]
    shortcuts: { name: string; url: string }[]
  }
  expect(manifest).toMatchObject({
    id: '/',
    name: 'Floe',
    short_name: 'Floe',
    lang: 'de',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    share_target: { action: '/share-target', method: 'POST', enctype: 'multipart/form-data' },
  })
  expect(manifest.shortcuts.map(({ name, url: target }) => [name, target])).toEqual([
    ['Upload', '/upload'],
    ['Meine Freigaben', '/account/shares'],
  ])
  expect(manifest.icons.filter(({ purpose }) => purpose === 'maskable')).toHaveLength(1)
  for (const { src } of manifest.icons) {
    const response = await visitor.context.request.get(src)
    expect(response.headers()['content-type'], src).toBe('image/png')
  }
  await visitor.leave()
})

test('what another app shares waits on the upload page, byte for byte', async () => {
  await openUploadPage()
  await shareTo({ files: { 'trip.txt': 'Føroyar', 'song.txt': 'Ljóð' }, text: 'Look' })
  await fileRow(page, 'trip.txt').waitFor()
  await fileRow(page, 'song.txt').waitFor()
  await shareOptions(page).getByLabel('Link').fill('from-an-app')
  await shareButton(page).click()
  await page.goto(await finishShare(page))
  await page.getByRole('button', { name: 'Preview trip.txt' }).click()
  await page.getByRole('dialog').getByText('Føroyar').waitFor()

  // It was taken once: the page begins empty afterwards.
  await openUploadPage()
  await expect.poll(() => page.getByRole('listitem').count()).toBe(0)
})

test('a shared text is offered as a file', async () => {
  await openUploadPage()
  await shareTo({ text: 'https://example.org/fjord' })
  const dialog = page.getByRole('dialog', { name: 'Pasted text' })
  await expect
    .poll(() => dialog.getByLabel('Text', { exact: true }).inputValue())
    .toBe('https://example.org/fjord')
})

test('somebody who has to sign in first finds what was shared behind that', async () => {
  await openUploadPage()
  await owner.context.clearCookies()
  await shareTo({ files: { 'later.txt': 'later' } }, /\/auth\/signIn/)
  await signIn(page, person)
  await fileRow(page, 'later.txt').waitFor()
})

test('the worker stays out of every other request and keeps nothing', async () => {
  const touched: string[] = []
  page.on('response', (response) => {
    if (response.fromServiceWorker()) touched.push(response.url())
  })
  await openUploadPage()
  await page.goto('/share/from-an-app')
  await page.getByRole('button', { name: 'Preview trip.txt' }).waitFor()
  expect(await page.evaluate('navigator.serviceWorker.controller')).toBeNull()
  expect(await page.evaluate('caches.keys()')).toEqual([])
  const scopes = `navigator.serviceWorker.getRegistrations()
    .then((all) => all.map(({ scope }) => new URL(scope).pathname))`
  expect(await page.evaluate(scopes)).toEqual(['/share-target'])
  expect(touched).toEqual([])
  const worker = await owner.context.request.get('/share-target.js')
  expect(worker.headers()['cache-control']).toBe('no-cache')
})
