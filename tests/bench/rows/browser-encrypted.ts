import { writeFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../../e2e/harness/browser.ts'
import type { Bench, Row } from '../bench.ts'
import { type Floe, startFloe, waitUntilQuiet } from '../floe/floe.ts'
import { signUp } from '../floe/session.ts'
import { compareLine, type Line } from '../harness/report.ts'
import { runRounds } from '../harness/statistics.ts'
import { GiB, MiB } from '../harness/transfers.ts'
import { openUploadPage, sendFile, sendFolder, smallFiles, writeFolder } from './browser-upload.ts'

interface Speeds {
  /** MiB a second. */
  upload: number[]
  download: number[]
  /** Files a second. */
  small: number[]
}

interface Run {
  floe: Floe
  browser: Browser
  /** Where what is chosen leaves, and the link to it is shown in the end. */
  page: Page
  path: string
  sizeBytes: number
}

/** Files a second. */
async function measureFolder(page: Page, folder: string): Promise<number> {
  const seconds = await sendFolder(page, folder)
  await page.context().close()
  return smallFiles.files / seconds
}

/** Sends the file and has it back, by the browser's own download. */
async function measureRun({ floe, browser, page, path, sizeBytes }: Run, speeds: Speeds) {
  const mebibytes = sizeBytes / MiB
  speeds.upload.push(mebibytes / (await sendFile(page, path)))
  const link = await page.getByLabel('Share link').inputValue()
  await page.context().close()
  await waitUntilQuiet(floe)
  speeds.download.push(mebibytes / (await downloadFrom(browser, link)))
}

/** Seconds from the click until the browser says that the file is there. */
async function downloadFrom(browser: Browser, link: string): Promise<number> {
  const page = await browser.newPage()
  await page.goto(link)
  const button = page.getByRole('link', { name: 'Download', exact: true })
  await button.waitFor()
  const startedAt = performance.now()
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  await download.path()
  const seconds = (performance.now() - startedAt) / 1000
  await page.context().close()
  return seconds
}

async function measureEncrypted({ scratch, isQuick, rounds }: Bench): Promise<Line[]> {
  const floe = await startFloe(scratch)
  const browser = await launchBrowser()
  try {
    const session = await signUp(floe)
    const sizeBytes = isQuick ? GiB / 8 : GiB
    await session.changeSettings({ 'share.maxSize': 2 * sizeBytes })
    const path = scratch.file('film.mov')
    writeFileSync(path, Buffer.alloc(sizeBytes, 5))
    const folder = scratch.folder('photos')
    writeFolder(folder, smallFiles)
    const encrypted: Speeds = { upload: [], download: [], small: [] }
    const plain: Speeds = { upload: [], download: [], small: [] }
    const contender = (name: string, isEncrypted: boolean, speeds: Speeds) => {
      async function openPage() {
        await waitUntilQuiet(floe)
        const page = await openUploadPage(browser, floe, session)
        const choice = page.getByRole('switch', { name: 'End-to-end encryption' })
        if (isEncrypted) await choice.check()
        return page
      }
      const run = async () => {
        speeds.small.push(await measureFolder(await openPage(), folder))
        await measureRun({ floe, browser, page: await openPage(), path, sizeBytes }, speeds)
      }
      return { name, run }
    }
    await runRounds(rounds, [
      contender('encrypted', true, encrypted),
      contender('without', false, plain),
    ])
    const line = (way: keyof Speeds, what: string, unit = 'MiB/s') =>
      compareLine({
        what: `Chromium, ${what} with end-to-end encryption, to without`,
        ours: encrypted[way],
        theirs: { name: 'Floe without', values: plain[way] },
        unit,
        atLeast: 0.5,
      })
    return [
      line('upload', 'one file of 1 GiB: from the choice to ready'),
      line('download', 'one file of 1 GiB: download'),
      line('small', `a folder of ${smallFiles.title}: from the choice to ready`, 'files/s'),
    ]
  } finally {
    await browser.close()
    await floe.stop()
  }
}

export const browserEncryptedRow: Row = { name: 'browser-encrypted', measure: measureEncrypted }
