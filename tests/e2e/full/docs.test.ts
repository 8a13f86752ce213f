import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations } from '../harness/barriers.ts'
import { borrowBrowser } from '../harness/browser.ts'
import { createProblemLog } from '../harness/problems.ts'

// The site as `npm run docs -- --serve` builds and serves it.

const root = fileURLToPath(new URL('../../..', import.meta.url))
const widths = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } }

let server: ChildProcess
let url: string
let context: BrowserContext
let page: Page
const problems = createProblemLog()
const foreign: string[] = []

beforeAll(async () => {
  server = spawn('npm', ['run', 'docs', '--', '--serve', '--port', '0'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  url = await readAddress(server)
  const browser = await borrowBrowser()
  context = await browser.newContext({ viewport: widths.desktop, colorScheme: 'light' })
  page = await context.newPage()
  problems.watch(page)
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) foreign.push(request.url())
  })
})

afterAll(async () => {
  await context?.close()
  // npm and what it started.
  if (server?.pid !== undefined && server.exitCode === null) {
    process.kill(-server.pid)
    await once(server, 'exit')
  }
})

async function readAddress({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('The output is not read')
  for await (const line of createInterface({ input: stdout })) {
    if (line.startsWith('http://')) return line
  }
  throw new Error('The site was not served')
}

/** Every page that links lead to from the first one on. */
async function crawl(): Promise<string[]> {
  const found = new Set([`${url}index.html`])
  for (const address of found) {
    const response = await fetch(address)
    expect(response.status, address).toBe(200)
    for (const [, link = ''] of (await response.text()).matchAll(/<a\b[^>]*?\shref="([^"#]+)/g)) {
      const target = new URL(link, address).href
      if (target.startsWith(url)) found.add(target)
    }
  }
  return [...found]
}

const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
const DECODE_IMAGES = `Promise.all([...document.images].filter((image) => image.checkVisibility())
  .map((image) => { image.loading = 'eager'; return image.decode() })).then((images) => images.length)`

test('every page shows itself at both widths, without errors and without another host', async () => {
  const pages = await crawl()
  expect(pages.length).toBeGreaterThan(80)
  const wrong: string[] = []
  for (const viewport of Object.values(widths)) {
    await page.setViewportSize(viewport)
    for (const address of pages) {
      await page.goto(address)
      await page.evaluate(DECODE_IMAGES)
      const headings = await page.getByRole('heading', { level: 1 }).count()
      const overflow = await page.evaluate<number>(OVERFLOW)
      if (headings !== 1 || overflow !== 0) {
        wrong.push(`${address} at ${viewport.width}: ${headings} titles, ${overflow} px too wide`)
      }
    }
  }
  expect(wrong).toEqual([])
  expect(problems.take()).toEqual([])
  expect(foreign).toEqual([])
})

describe('search', () => {
  const dialog = () => page.getByRole('dialog', { name: 'Search' })
  const results = () => dialog().getByRole('option')

  test.each([
    ['backup', 'operate/backup.html'],
    ['S3', 'operate/s3.html'],
    ['reverse share', 'use/reverse-shares.html'],
    ['share_password_required', 'api/shares.html'],
    ['TRUSTED_PROXIES', 'administer/environment.html'],
    ['bakup', 'operate/backup.html'],
  ])('finds %s, and Enter leads to its page', async (text, path) => {
    await page.setViewportSize(widths.desktop)
    await page.goto(`${url}use/send.html`)
    await page.keyboard.press('/')
    await dialog().getByRole('combobox').fill(text)
    const link = dialog().locator(`a[href*="${path}"]`).first()
    await link.waitFor()
    const index = await results().evaluateAll(
      (rows, end) => rows.findIndex((row) => row.outerHTML.includes(end)),
      path,
    )
    expect(index).toBeLessThan(6)
    for (let step = 0; step < index; step++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL((address) => address.pathname === `/${path}`)
  })

  test('says when nothing is found, and Escape closes it', async () => {
    await page.keyboard.press('Control+K')
    await dialog().getByRole('combobox').fill('zzzzzz')
    await dialog().getByText('Nothing found for “zzzzzz”.').waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'hidden' })
  })
})

test('a scheme that was chosen stays, with its screenshots', async () => {
  await page.setViewportSize(widths.desktop)
  await page.goto(`${url}index.html`)
  const shown = () =>
    page.locator('article img:visible').evaluateAll((images) => images.map((image) => image.src))
  expect(await shown()).toEqual([expect.stringMatching(/-light\.png$/)])
  await page.getByRole('button', { name: 'Switch between light and dark' }).click()
  expect(await shown()).toEqual([expect.stringMatching(/-dark\.png$/)])
  await page.goto(`${url}first-steps.html`)
  expect(new Set((await shown()).map((src) => /-(light|dark)\.png$/.exec(src)?.[1]))).toEqual(
    new Set(['dark']),
  )
  await page.getByRole('button', { name: 'Switch between light and dark' }).click()
})

test('on a phone, the menu opens over the page and leads on', async () => {
  await page.setViewportSize(widths.phone)
  await page.goto(`${url}index.html`)
  const menu = page.getByRole('navigation', { name: 'Pages', exact: true })
  expect(await menu.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Menu' }).click()
  await menu.getByRole('link', { name: 'Backup and restore' }).click()
  await page.getByRole('heading', { name: 'Backup and restore', level: 1 }).waitFor()
})

test.each(['light', 'dark'] as const)('keeps nobody out, in the %s scheme', async (colorScheme) => {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.evaluate('localStorage.clear()')
  for (const viewport of Object.values(widths)) {
    await page.setViewportSize(viewport)
    for (const path of ['index', 'use/send', 'api/shares', 'architecture', 'install/compose']) {
      await page.goto(`${url}${path}.html`)
      expect(await findViolations(page, []), path).toEqual([])
    }
  }
  await page.keyboard.press('/')
  await page.getByRole('combobox').fill('backup')
  await page.getByRole('option').first().waitFor()
  expect(await findViolations(page, [])).toEqual([])
  await page.keyboard.press('Escape')
})
