import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../../e2e/harness/browser.ts'
import type { Bench, Row } from '../bench.ts'
import { type Smoothness, watchFrames } from '../client/frames.ts'
import { startFloe, waitUntilQuiet } from '../floe/floe.ts'
import { type Session, signUp } from '../floe/session.ts'
import { compareLine, limitLine, type Line } from '../harness/report.ts'
import { runRounds } from '../harness/statistics.ts'

const FILES = 5000
const QUICK_FILES = 1000
const FEW_FILES = 10
const WHEEL_PX = 300
const STILL_MS = 3000
const UPLOAD_TIMEOUT_MS = 120_000
/** 50 frames of the 60 that a browser draws in a second. */
const LEAST_SHARE = 0.83

/** The upload page of somebody signed in, with so many small files chosen. */
async function choose(browser: Browser, session: Session, count: number): Promise<Page> {
  const baseURL = `http://127.0.0.1:${session.port}`
  const context = await browser.newContext({
    baseURL,
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
    // Each turn of the wheel then arrives at once.
    reducedMotion: 'reduce',
  })
  const cookies = session.cookie.split('; ').map((cookie) => {
    const [name = '', value = ''] = cookie.split(/=(.*)/s)
    return { name, value, url: baseURL }
  })
  await context.addCookies(cookies)
  const page = await context.newPage()
  await page.goto('/upload')
  await page.getByLabel('Files to upload').setInputFiles(
    Array.from({ length: count }, (_, index) => ({
      name: `sheet ${index}.txt`,
      mimeType: 'text/plain',
      buffer: Buffer.from(`Sheet ${index}`),
    })),
  )
  await page.getByRole('table').waitFor()
  await page.mouse.move(640, 500)
  return page
}

/** Turns the wheel without a pause, from the beginning of the page to its end. */
async function scrollThrough(page: Page): Promise<Smoothness> {
  const heightPx = await page.evaluate<number>(
    `(scrollTo({ top: 0, behavior: 'instant' }), document.documentElement.scrollHeight)`,
  )
  return watchFrames(page, async () => {
    for (let at = 0; at < heightPx; at += WHEEL_PX) await page.mouse.wheel(0, WHEEL_PX)
  })
}

const stayStill = (page: Page) => watchFrames(page, () => delay(STILL_MS))

async function beginUpload(page: Page): Promise<void> {
  await page.evaluate(`scrollTo({ top: 0, behavior: 'instant' })`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Create share' })
  await dialog.getByLabel('Link').fill(`frames-${randomUUID().slice(0, 8)}`)
  await dialog.getByRole('button', { name: 'Share', exact: true }).click()
  const progress = page.getByText(/^[1-9]\d+ of [\d,]+ files uploaded$/)
  await progress.waitFor({ timeout: UPLOAD_TIMEOUT_MS })
}

interface Situation {
  what: string
  referenceName: string
  scrolled: Smoothness[]
  still: Smoothness[]
}

function linesOf({ what, referenceName, scrolled, still }: Situation): Line[] {
  const frames = compareLine({
    what: `${what}: frames in the poorest second`,
    ours: scrolled.map(({ lowest }) => lowest),
    theirs: { name: referenceName, values: still.map(({ lowest }) => lowest) },
    unit: 'frames',
    atLeast: LEAST_SHARE,
  })
  const blank = scrolled.reduce((sum, { blankFrames }) => sum + blankFrames, 0)
  return [
    { ...frames, measured: `${frames.measured}; ${blank} frames without rows` },
    limitLine({
      what: `${what}: longest frame`,
      values: scrolled.map(({ longestFrameMs }) => longestFrameMs),
      unit: 'ms',
      digits: 0,
      references: [
        { name: referenceName, values: still.map(({ longestFrameMs }) => longestFrameMs) },
      ],
    }),
  ]
}

async function measureFrames({ scratch, isQuick, rounds }: Bench): Promise<Line[]> {
  const count = isQuick ? QUICK_FILES : FILES
  const floe = await startFloe(scratch)
  const browser = await launchBrowser()
  const chosen: Situation = {
    what: `Upload page with ${count} files, scrolled without a pause`,
    referenceName: `${FEW_FILES} files, not scrolled`,
    scrolled: [],
    still: [],
  }
  const uploading: Situation = {
    what: `The same while the ${count} files are uploaded`,
    referenceName: 'the same, not scrolled',
    scrolled: [],
    still: [],
  }
  try {
    const session = await signUp(floe)
    await waitUntilQuiet(floe)
    await runRounds(rounds, [
      {
        name: chosen.referenceName,
        async run() {
          const page = await choose(browser, session, FEW_FILES)
          chosen.still.push(await stayStill(page))
          await page.context().close()
        },
      },
      {
        name: chosen.what,
        async run() {
          const page = await choose(browser, session, count)
          chosen.scrolled.push(await scrollThrough(page))
          await beginUpload(page)
          uploading.still.push(await stayStill(page))
          uploading.scrolled.push(await scrollThrough(page))
          await page.context().close()
          await waitUntilQuiet(floe)
        },
      },
    ])
    return [...linesOf(chosen), ...linesOf(uploading)]
  } finally {
    await browser.close()
    await floe.stop()
  }
}

export const framesRow: Row = { name: 'frames', measure: measureFrames }
