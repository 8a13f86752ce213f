import { PNG } from 'pngjs'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { launchBrowser } from '../../e2e/harness/browser.ts'
import { makeShare } from '../../e2e/harness/shares.ts'
import type { Bench, Row } from '../bench.ts'
import { timeKeys, timeTap } from '../client/interactions.ts'
import { slowDown, takePhone } from '../client/phone.ts'
import { startFloe, waitUntilQuiet } from '../floe/floe.ts'
import { type Session, signUp } from '../floe/session.ts'
import { limitLine, type Line } from '../harness/report.ts'
import { median, quantile } from '../harness/statistics.ts'

const SHARES = 20
const PICTURES = 12
const FILES = 20
/** As the field measures it: three of four interactions are quicker. */
const PART = 0.75
const MOST_MS = 100
const GALLERY = 'gallery'

/** What people do, by name, with the times of every round. */
type Times = Map<string, number[]>

interface Visit {
  page: Page
  /** Times a touch of an element. */
  tap: (what: string, element: Locator) => Promise<void>
  /** Times the keys that are pressed in a field. */
  press: (what: string, field: Locator, keys: readonly string[]) => Promise<void>
}

async function visit(context: BrowserContext, path: string, times: Times): Promise<Visit> {
  const page = await context.newPage()
  await page.goto(path)
  await page.locator('#root > header:first-child').waitFor({ state: 'detached' })
  await page.waitForLoadState('networkidle')
  await slowDown(page)
  const keep = (what: string, ms: number) => times.set(what, [...(times.get(what) ?? []), ms])
  return {
    page,
    async tap(what, element) {
      keep(what, await timeTap(page, element))
    },
    async press(what, field, keys) {
      await field.focus()
      keep(what, await timeKeys(page, keys))
    },
  }
}

const button = (scope: Page | Locator, name: string | RegExp) =>
  scope.getByRole('button', { name, exact: true })

async function useMyShares(context: BrowserContext, times: Times): Promise<void> {
  const { page, tap, press } = await visit(context, '/account/shares', times)
  await tap('My shares: details', button(page, /^Info about/).first())
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await tap('My shares: close details', dialog.getByRole('button', { name: 'Close' }))
  await dialog.waitFor({ state: 'detached' })
  await tap('My shares: choose one', page.getByRole('checkbox', { name: /^Choose Share/ }).first())
  await press('My shares: search', page.getByRole('searchbox'), ['a', 'b', 'c'])
  await tap('Menu', button(page, 'Open menu'))
  await tap('Search or jump to', button(page, 'Search or jump to…'))
  await press('Search or jump to: typing', page.getByRole('combobox'), ['s', 'h', 'a'])
  await page.close()
}

async function useAccount(context: BrowserContext, times: Times): Promise<void> {
  const { page, tap, press } = await visit(context, '/account', times)
  await press('Account: typing', page.getByLabel('Username'), ['a', 'b', 'c'])
  await tap('Account: dark colours', page.getByText('Dark', { exact: true }))
  await page.close()
}

async function useUpload(context: BrowserContext, times: Times): Promise<void> {
  const { page, tap, press } = await visit(context, '/upload', times)
  await page.getByLabel('Files to upload').setInputFiles(
    Array.from({ length: FILES }, (_, index) => ({
      name: `sheet ${index}.txt`,
      mimeType: 'text/plain',
      buffer: Buffer.from(`Sheet ${index}`),
    })),
  )
  await page.getByText(`${FILES} of ${FILES} files uploaded`).waitFor()
  await tap('Upload: remove a file', button(page, 'Remove sheet 3.txt'))
  await tap('Upload: options', button(page, 'Options'))
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await press('Upload: typing a link', dialog.getByLabel('Link'), ['a', 'b', 'c'])
  await press('Upload: unit of the expiry', dialog.getByLabel('Unit'), ['ArrowDown'])
  await tap('Upload: open a fold', button(dialog, 'Name and description'))
  await tap('Upload: close options', button(dialog, 'Done'))
  await dialog.waitFor({ state: 'detached' })
  await page.close()
}

async function useShare(context: BrowserContext, times: Times): Promise<void> {
  const { page, tap } = await visit(context, `/share/${GALLERY}`, times)
  await tap('Share: open a picture', button(page, 'Preview picture-0.png'))
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('img', { name: 'picture-0.png' }).waitFor()
  await tap('Share: next picture', button(dialog, 'Next file'))
  await tap('Share: close the picture', dialog.getByRole('button', { name: 'Close' }))
  await dialog.waitFor({ state: 'detached' })
  await tap('Share: as a list', page.getByText('List', { exact: true }))
  await tap('Share: choose files', button(page, 'Select'))
  await tap('Share: choose one', page.getByRole('checkbox').first())
  await page.close()
}

async function useAdministration(context: BrowserContext, times: Times): Promise<void> {
  const { page, tap } = await visit(context, '/admin/config/general', times)
  await tap('Settings: other category', page.getByRole('link', { name: 'Share', exact: true }))
  await page.getByRole('heading', { name: 'Share', level: 1 }).waitFor()
  await page.getByRole('switch').first().waitFor()
  await tap('Settings: switch', page.getByRole('switch').first())
  await page.close()
}

function picture(shade: number): Buffer {
  const png = new PNG({ width: 320, height: 240 })
  png.data.fill(shade)
  return PNG.sync.write(png)
}

async function fill(browser: Browser, session: Session): Promise<void> {
  const context = await takePhone(browser, session)
  for (let index = 0; index < SHARES; index++) {
    await makeShare(context.request, { name: `Share ${index}`, files: { 'notes.txt': 'Notes' } })
  }
  const pictures = Array.from({ length: PICTURES }, (_, index) => index)
  await makeShare(context.request, {
    id: GALLERY,
    files: Object.fromEntries(pictures.map((at) => [`picture-${at}.png`, picture(at * 20)])),
  })
  await context.close()
}

async function measureInteractions({ scratch, rounds }: Bench): Promise<Line[]> {
  const floe = await startFloe(scratch)
  const browser = await launchBrowser()
  const times: Times = new Map()
  try {
    const session = await signUp(floe)
    await fill(browser, session)
    await waitUntilQuiet(floe)
    for (let round = 0; round < rounds; round++) {
      for (const use of [useMyShares, useUpload, useShare, useAdministration, useAccount]) {
        const context = await takePhone(browser, session)
        await use(context, times)
        await context.close()
      }
    }
  } finally {
    await browser.close()
    await floe.stop()
  }
  return linesOf(times, rounds)
}

function linesOf(times: Times, rounds: number): Line[] {
  const each = [...times].map(([what, values]) => ({ what, ms: median(values) }))
  const slowest = each.toSorted((one, other) => other.ms - one.ms)
  console.error(
    slowest.map(({ what, ms }) => `${ms.toFixed(0).padStart(5)} ms  ${what}`).join('\n'),
  )
  const line = limitLine({
    what: `Phone, processor slowed 6 times: from a touch to the frame that shows it, 75th percentile`,
    values: Array.from({ length: rounds }, (_, round) =>
      quantile(
        [...times.values()].map((values) => values[round] ?? Number.NaN),
        PART,
      ),
    ),
    unit: 'ms',
    digits: 0,
    atMost: MOST_MS,
  })
  const [worst] = slowest
  return [
    {
      ...line,
      measured: `${line.measured}; ${each.length} interactions${worst ? `, slowest: ${worst.what}, ${worst.ms.toFixed(0)} ms` : ''}`,
    },
  ]
}

export const interactionsRow: Row = { name: 'interactions', measure: measureInteractions }
