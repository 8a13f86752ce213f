import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUp } from '../../acceptance/world/accounts.ts'
import { pathOf } from '../harness/encrypted.ts'
import {
  download,
  hashesOf,
  hashFile,
  unzip,
  writeRandomFile,
  writeTree,
} from '../harness/files.ts'
import { type Firefox, launchFirefox } from '../harness/firefox.ts'
import { useJourney } from '../harness/use-journey.ts'

const journey = useJourney()
const names = ['words.txt', 'süß 世界.txt']
/** Some seconds long. */
const FILM_BYTES = 400_000_000
let firefox: Firefox

const at = (name: string) => join(journey.folder, name)

beforeAll(async () => {
  await writeTree(journey.folder, { 'words.txt': 'meet me at nine', 'süß 世界.txt': 'deeper' })
  firefox = await launchFirefox()
})
afterAll(() => firefox?.close())

async function visitAsMember(): Promise<Page> {
  const page = await firefox.visit()
  const { cookies } = await signUp(journey.floe)
  const { hostname } = new URL(journey.floe.url)
  for (const name of cookies.names()) {
    const value = cookies.get(name) ?? ''
    await page.browserContext().setCookie({ name, value, domain: hostname })
  }
  return page
}

async function visitShare(link: string): Promise<Page> {
  const page = await firefox.visit()
  await page.goto(journey.floe.url + pathOf(link))
  return page
}

/** By role and name, as a screen reader finds it. */
async function press(page: Page, role: string, name: string): Promise<void> {
  await page.locator(`::-p-aria([name="${name}"][role="${role}"])`).click()
}

async function choose(page: Page, label: string, ...paths: string[]): Promise<void> {
  const input = await page.waitForSelector(`input[type=file][aria-label="${label}"]`)
  await input?.uploadFile(...paths)
}

async function openEncrypting(page: Page): Promise<void> {
  await page.goto(`${journey.floe.url}/upload`)
  await page.locator('::-p-text(End-to-end encryption)').click()
}

/** The link that the dialog at the end shows. */
async function share(page: Page): Promise<string> {
  await press(page, 'button', 'Share')
  const link = await page.waitForFunction(
    `[...document.querySelectorAll('[role=dialog] input')].map(({ value }) => value).find(Boolean)`,
  )
  return String(await link.jsonValue())
}

test('what Firefox has encrypted is saved byte for byte by itself, and by Chromium', async () => {
  const sender = await visitAsMember()
  await openEncrypting(sender)
  await choose(sender, 'Files to upload', ...names.map(at))
  const link = await share(sender)

  const visitor = await visitShare(link)
  await firefox.save(() => press(visitor, 'link', 'Download words.txt'), at('by Firefox.txt'))
  expect(await hashFile(at('by Firefox.txt'))).toBe(await hashFile(at('words.txt')))
  await firefox.save(() => press(visitor, 'link', 'Download all'), at('by Firefox.zip'))
  await unzip(at('by Firefox.zip'), at('by Firefox'))
  expect(await hashesOf(at('by Firefox'), names)).toEqual(await hashesOf(journey.folder, names))

  const { page } = await journey.visit()
  await page.goto(pathOf(link))
  const saved = await download(page, page.getByRole('link', { name: 'Download words.txt' }))
  expect(saved.sha256).toBe(await hashFile(at('words.txt')))
})

test('with another key Firefox says so, and shows nothing of the share', async () => {
  const sender = await visitAsMember()
  await openEncrypting(sender)
  await choose(sender, 'Files to upload', at('words.txt'))
  const link = await share(sender)
  const visitor = await visitShare(link.replace(/#k=.{5}/, '#k=AAAAA'))
  await visitor.waitForSelector('::-p-text(This share is encrypted)')
  expect(await visitor.content()).not.toContain('words.txt')
})

test('an encrypted upload goes on in Firefox after its tab was closed', async () => {
  const sha256 = await writeRandomFile(at('film.mov'), { sizeBytes: FILM_BYTES, seed: 'film' })
  const sender = await visitAsMember()
  await openEncrypting(sender)
  await choose(sender, 'Files to upload', at('film.mov'))
  await sender.waitForFunction(
    `document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow') >= 10`,
  )
  const page = await sender.browserContext().newPage()
  await sender.close()
  const offsets: number[] = []
  page.on('request', (request) => {
    const offset = request.headers()['upload-offset']
    if (request.method() === 'PATCH') offsets.push(Number(offset))
  })
  await page.goto(`${journey.floe.url}/upload`)
  await choose(page, 'Files of film.mov', at('film.mov'))
  const link = await share(page)
  expect(offsets[0]).toBeGreaterThan(FILM_BYTES / 20)

  const visitor = await visitShare(link)
  await firefox.save(() => press(visitor, 'link', 'Download film.mov'), at('saved.mov'))
  expect(await hashFile(at('saved.mov'))).toBe(sha256)
})
