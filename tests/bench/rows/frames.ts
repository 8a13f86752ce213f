import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from '../../e2e/harness/browser.ts'
import { finishShare, shareButton, shareOptions } from '../../e2e/harness/uploading.ts'
import type { Bench, Row } from '../bench.ts'
import { type Smoothness, watchFrames } from '../client/frames.ts'
import { signIn, slowDown, takePhone } from '../client/phone.ts'
import { startFloe, waitUntilQuiet } from '../floe/floe.ts'
import { type Session, signUp } from '../floe/session.ts'
import { compareLine, limitLine, type Line } from '../harness/report.ts'
import { runRounds } from '../harness/statistics.ts'

const FILES = 10_000
const QUICK_FILES = 1000
const WHEEL_PX = 300
/** Far enough that rows come and go for more than a second. */
const WHEEL_TURNS = 120
const STILL_MS = 3000
const UPLOAD_TIMEOUT_MS = 300_000
/** 50 frames of the 60 that a browser draws in a second. */
const LEAST_SHARE = 0.83
/** A longer one is seen as a jerk. */
const MOST_FRAME_MS = 50

async function takeDesktop(browser: Browser, session: Session): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: `http://127.0.0.1:${session.port}`,
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
    // Each turn of the wheel then arrives at once.
    reducedMotion: 'reduce',
  })
  await signIn(context, session)
  return context
}

/** The upload page with so many small files, which are sent from now on. */
async function choose(context: BrowserContext, count: number): Promise<Page> {
  const page = await context.newPage()
  await page.goto('/upload')
  await page.getByLabel('Files to upload').setInputFiles(
    Array.from({ length: count }, (_, index) => ({
      name: `sheet ${index}.txt`,
      mimeType: 'text/plain',
      buffer: Buffer.from(`Sheet ${index}`),
    })),
  )
  await page.getByRole('list', { name: 'Files being uploaded' }).waitFor()
  return page
}

/** A page that lists the files of a share. */
async function open(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(path)
  await page.locator('main tr[data-index]').first().waitFor()
  await page.waitForLoadState('networkidle')
  return page
}

/** Turns the wheel without a pause, from the beginning of the page on. */
async function scroll(page: Page): Promise<Smoothness> {
  await page.evaluate(`scrollTo({ top: 0, behavior: 'instant' })`)
  await page.mouse.move(200, 500)
  return watchFrames(page, async () => {
    for (let turn = 0; turn < WHEEL_TURNS; turn++) await page.mouse.wheel(0, WHEEL_PX)
  })
}

const stayStill = (page: Page) => watchFrames(page, () => delay(STILL_MS))

/** Shares what was chosen; resolves with its id once all of it is there. */
async function share(page: Page): Promise<string> {
  const id = `frames-${randomUUID().slice(0, 8)}`
  await shareOptions(page).getByLabel('Link').fill(id)
  await shareButton(page).click()
  await finishShare(page, UPLOAD_TIMEOUT_MS)
  return id
}

interface Situation {
  what: string
  still: Smoothness[]
  scrolled: Smoothness[]
  /** Scrolled on a phone. */
  onPhone: Smoothness[]
}

const situation = (what: string): Situation => ({ what, still: [], scrolled: [], onPhone: [] })

async function watchDesktop({ still, scrolled }: Situation, page: Page): Promise<void> {
  still.push(await stayStill(page))
  scrolled.push(await scroll(page))
}

async function watchPhone({ onPhone }: Situation, page: Page): Promise<void> {
  await slowDown(page)
  onPhone.push(await scroll(page))
  await page.close()
}

function linesOf({ what, still, scrolled, onPhone }: Situation): Line[] {
  const frames = compareLine({
    what: `${what}, scrolled without a pause: frames in the poorest second`,
    ours: scrolled.map(({ lowest }) => lowest),
    theirs: { name: 'the same, not scrolled', values: still.map(({ lowest }) => lowest) },
    unit: 'frames',
    atLeast: LEAST_SHARE,
  })
  const blank = scrolled.reduce((sum, { blankFrames }) => sum + blankFrames, 0)
  const longest = (all: readonly Smoothness[]) => all.map(({ longestFrameMs }) => longestFrameMs)
  return [
    { ...frames, measured: `${frames.measured}; ${blank} frames without rows` },
    limitLine({
      what: `${what}, scrolled on a phone: longest frame`,
      values: longest(onPhone),
      unit: 'ms',
      digits: 0,
      references: [{ name: 'on a desktop', values: longest(scrolled) }],
      atMost: MOST_FRAME_MS,
    }),
  ]
}

async function measureFrames({ scratch, isQuick, rounds }: Bench): Promise<Line[]> {
  const count = isQuick ? QUICK_FILES : FILES
  const sending = situation(`Upload page while ${count} files are sent`)
  const visiting = situation(`Page of a share with ${count} files`)
  const editing = situation(`Page to edit a share with ${count} files`)
  const floe = await startFloe(scratch)
  const browser = await launchBrowser()
  try {
    const session = await signUp(floe)
    await waitUntilQuiet(floe)
    const run = async () => {
      const desktop = await takeDesktop(browser, session)
      const upload = await choose(desktop, count)
      await watchDesktop(sending, upload)
      const id = await share(upload)
      await waitUntilQuiet(floe)
      const lists = [
        { list: visiting, path: `/share/${id}` },
        { list: editing, path: `/share/${id}/edit` },
      ]
      for (const { list, path } of lists) await watchDesktop(list, await open(desktop, path))
      await desktop.close()
      const phone = await takePhone(browser, session)
      for (const { list, path } of lists) await watchPhone(list, await open(phone, path))
      await watchPhone(sending, await choose(phone, count))
      await phone.close()
      await session.deleteShare(id)
      await waitUntilQuiet(floe)
    }
    await runRounds(rounds, [{ name: 'lists', run }])
    return [sending, visiting, editing].flatMap(linesOf)
  } finally {
    await browser.close()
    await floe.stop()
  }
}

export const framesRow: Row = { name: 'frames', measure: measureFrames }
