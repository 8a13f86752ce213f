import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../../e2e/harness/browser.ts'
import { shareButton } from '../../e2e/harness/uploading.ts'
import type { Bench, Row } from '../bench.ts'
import { type Floe, startFloe, waitUntilQuiet } from '../floe/floe.ts'
import { type Session, signUp } from '../floe/session.ts'
import { compareLine, limitLine, missingLine, type Line } from '../harness/report.ts'
import { type Contender, runRounds } from '../harness/statistics.ts'
import { GiB } from '../harness/transfers.ts'
import { copypartyName, installCopyparty, startCopyparty } from '../references/copyparty.ts'
import { startNginx } from '../references/nginx.ts'
import type { Reference } from '../references/reference.ts'

interface FolderShape {
  files: number
  sizeBytes(index: number): number
  title: string
  atMostSeconds: number
  isCompared: boolean
}

export const smallFiles: FolderShape = {
  files: 3000,
  sizeBytes: (index) => 2048 + ((index * 7919) % 14_336),
  title: '3000 files of 2 to 16 kB',
  atMostSeconds: 6,
  isCompared: true,
}

const shapes: readonly FolderShape[] = [
  smallFiles,
  {
    files: 10_000,
    sizeBytes: () => 4096,
    title: '10000 files of 4 kB',
    atMostSeconds: 20,
    isCompared: false,
  },
]

/** As folders have them: a hundred files in each. */
export function writeFolder(path: string, { files, sizeBytes }: FolderShape): void {
  for (let index = 0; index < files; index++) {
    const folder = join(path, `part ${Math.floor(index / 100)}`)
    if (index % 100 === 0) mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `photo ${index}.jpg`), randomBytes(sizeBytes(index)))
  }
}

export async function openUploadPage(
  browser: Browser,
  floe: Floe,
  { cookie }: Session,
): Promise<Page> {
  const context = await browser.newContext()
  await context.addCookies(
    cookie.split('; ').map((pair) => ({
      name: pair.slice(0, pair.indexOf('=')),
      value: pair.slice(pair.indexOf('=') + 1),
      domain: '127.0.0.1',
      path: '/',
    })),
  )
  const page = await context.newPage()
  await page.goto(`http://127.0.0.1:${floe.port}/upload`)
  return page
}

export async function sendFolder(page: Page, folder: string): Promise<number> {
  return send(page, 'Folder to upload', folder)
}

/** Seconds from the choice, which files leave at, until the page shows the link. */
async function send(page: Page, label: string, path: string): Promise<number> {
  await page.evaluate(
    `addEventListener('change', () => (window.chosenAt ??= performance.now()), { capture: true })`,
  )
  await page.getByLabel(label).setInputFiles(path)
  await shareButton(page).click()
  await page.getByRole('dialog', { name: 'Your share is ready' }).waitFor({ timeout: 600_000 })
  return (await page.evaluate<number>('performance.now() - chosenAt')) / 1000
}

/** Seconds from the consent to the upload until copyparty's page says that all files are there. */
async function sendToCopyparty(
  page: Page,
  { port }: Reference,
  { path, files }: Folder,
): Promise<number> {
  await page.goto(`http://127.0.0.1:${port}/`)
  await page.locator('input[type=file][webkitdirectory]').setInputFiles(path)
  const consent = page.locator('#modal-ok')
  await consent.waitFor()
  const startedAt = performance.now()
  await consent.click()
  await page.getByText(`All ${files} files uploaded successfully`).waitFor({ timeout: 180_000 })
  return (performance.now() - startedAt) / 1000
}

interface Folder {
  path: string
  files: number
}

/** A new copyparty for each round: it would know files that it has seen. */
function copypartyContender(
  { scratch }: Bench,
  browser: Browser,
  { program, folder, values }: { program: string; folder: Folder; values: number[] },
): Contender {
  return {
    name: copypartyName,
    run: async () => {
      const copyparty = await startCopyparty(program, scratch)
      const context = await browser.newContext()
      try {
        values.push(await sendToCopyparty(await context.newPage(), copyparty, folder))
        const entries = readdirSync(copyparty.folder, { recursive: true, withFileTypes: true })
        const arrived = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.jpg'))
        if (arrived.length !== folder.files) throw new Error(`${arrived.length} files arrived`)
      } finally {
        await context.close()
        await copyparty.stop()
        scratch.discard(copyparty.folder)
      }
    },
  }
}

interface Ours {
  floe: Floe
  browser: Browser
  session: Session
}

async function measureFolder(bench: Bench, ours: Ours, full: FolderShape): Promise<Line[]> {
  const { floe, browser, session } = ours
  const shape = bench.isQuick ? { ...full, files: full.files / 10 } : full
  const folder = { path: bench.scratch.folder(`folder-${shape.files}`), files: shape.files }
  writeFolder(folder.path, shape)
  const what = `Chromium, a folder of ${shape.title}: from the choice to ready`
  const program = shape.isCompared ? await installCopyparty(bench.cacheFolder) : undefined
  const values: number[] = []
  const theirs: number[] = []
  await runRounds(bench.rounds, [
    {
      name: 'Floe',
      run: async () => {
        await waitUntilQuiet(floe)
        const page = await openUploadPage(browser, floe, session)
        values.push(await sendFolder(page, folder.path))
        await page.context().close()
      },
    },
    ...(program === undefined
      ? []
      : [copypartyContender(bench, browser, { program, folder, values: theirs })]),
  ])
  const line = limitLine({
    what,
    values,
    unit: 's',
    digits: 1,
    ...(program !== undefined && { references: [{ name: copypartyName, values: theirs }] }),
    atMost: shape.atMostSeconds,
  })
  const isMissing = shape.isCompared && program === undefined
  return isMissing
    ? [line, missingLine(`${what}, to copyparty`, 'copyparty cannot be installed')]
    : [line]
}

async function measureBrowserUpload(bench: Bench): Promise<Line[]> {
  const floe = await startFloe(bench.scratch)
  const browser = await launchBrowser()
  try {
    const ours = { floe, browser, session: await signUp(floe) }
    const lines: Line[] = []
    for (const shape of shapes) lines.push(...(await measureFolder(bench, ours, shape)))
    return lines
  } finally {
    await browser.close()
    await floe.stop()
  }
}

const LARGE_BYTES = GiB

/** The same file by a plain `fetch`, from a page of nginx. */
async function putToNginx(page: Page, nginx: Reference, file: string): Promise<number> {
  await page.goto(`http://127.0.0.1:${nginx.port}/`)
  await page.setContent('<input type="file" aria-label="File">')
  await page.getByLabel('File').setInputFiles(file)
  const ms = await page.evaluate(`(async () => {
    const [body] = document.querySelector('input').files
    const startedAt = performance.now()
    const response = await fetch('/large.bin', { method: 'PUT', body })
    if (!response.ok) throw new Error('status ' + response.status)
    return performance.now() - startedAt
  })()`)
  return Number(ms) / 1000
}

/** Seconds, as `send` counts them. */
export async function sendFile(page: Page, file: string): Promise<number> {
  return send(page, 'Files to upload', file)
}

async function measureLargeFile({ scratch, isQuick, rounds }: Bench): Promise<Line[]> {
  const what = 'Chromium, one file of 1 GiB: from the choice to ready, to a plain PUT to nginx'
  const nginx = await startNginx(scratch)
  if (!nginx) return [missingLine(what, 'nginx with its DAV module is not installed')]
  const floe = await startFloe(scratch)
  const browser = await launchBrowser()
  try {
    const session = await signUp(floe)
    await session.changeSettings({ 'share.maxSize': 2 * LARGE_BYTES })
    const file = scratch.file('large.bin')
    writeFileSync(file, Buffer.alloc(isQuick ? LARGE_BYTES / 8 : LARGE_BYTES, 5))
    const ours: number[] = []
    const theirs: number[] = []
    await runRounds(rounds, [
      {
        name: 'Floe',
        run: async () => {
          await waitUntilQuiet(floe)
          const page = await openUploadPage(browser, floe, session)
          ours.push(1 / (await sendFile(page, file)))
          await page.context().close()
        },
      },
      {
        name: nginx.name,
        run: async () => {
          const page = await browser.newPage()
          theirs.push(1 / (await putToNginx(page, nginx, file)))
          await page.close()
        },
      },
    ])
    const mebibytes = (isQuick ? LARGE_BYTES / 8 : LARGE_BYTES) / 2 ** 20
    const toSpeed = (perSecond: number) => perSecond * mebibytes
    return [
      compareLine({
        what,
        ours: ours.map(toSpeed),
        theirs: { name: nginx.name, values: theirs.map(toSpeed) },
        unit: 'MiB/s',
        atLeast: 0.9,
      }),
    ]
  } finally {
    await browser.close()
    await floe.stop()
    await nginx.stop()
  }
}

export const browserLargeRow: Row = { name: 'browser-large', measure: measureLargeFile }
export const browserUploadRow: Row = { name: 'browser-upload', measure: measureBrowserUpload }
