import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { RunningFloe } from '@floe/testing'
import { type ArrangedFloe, startArrangedFloe } from './arranged-floe.ts'
import { type Fonts, launchBrowser } from './browser.ts'
import type { TestContext } from 'vitest'
import { createProblemLog, type ProblemLog } from './problems.ts'

// With FLOE_E2E_EVIDENCE naming a folder, a failed test leaves there what its pages showed.

/** A Floe of its own and a browser on it. */
export interface Journey extends Pick<ArrangedFloe, 'objectsDirectory' | 'environment'> {
  readonly floe: RunningFloe
  readonly browser: Browser
  readonly problems: ProblemLog
  /** For files to upload; gone with the journey. */
  readonly folder: string
  /** A person with a browser profile of their own. */
  visit(options?: BrowserContextOptions): Promise<Visitor>
  /** After each test: fails on anything the browser complained about. */
  conclude(test: TestContext): Promise<void>
  end(): Promise<void>
}

export interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
  /** Opens an address of this Floe. */
  open(path: string): Promise<void>
  leave(): Promise<void>
}

/** Documents show their heading before the application is there to answer a press. */
function awaitApplication(page: Page): void {
  const drawnByDocument = page.locator('#root > header:first-child')
  const goto = page.goto.bind(page)
  const reload = page.reload.bind(page)
  page.goto = async (...to) => {
    const response = await goto(...to)
    await drawnByDocument.waitFor({ state: 'detached' })
    return response
  }
  page.reload = async (...how) => {
    const response = await reload(...how)
    await drawnByDocument.waitFor({ state: 'detached' })
    return response
  }
}

const DESKTOP = { width: 1280, height: 800 }

export async function startJourney({
  networkLog,
  environment = {},
  fonts = 'usual',
}: {
  networkLog?: (folder: string) => string
  environment?: Readonly<Record<string, string>>
  fonts?: Fonts
} = {}): Promise<Journey> {
  const folder = await mkdtemp(join(tmpdir(), 'floe-e2e-'))
  const problems = createProblemLog()
  const { floe, ...data } = await startArrangedFloe(environment)
  const browser = await launchBrowser({
    fonts,
    ...(networkLog && { networkLog: networkLog(folder) }),
  })

  return {
    floe,
    ...data,
    browser,
    problems,
    folder,
    async visit(options = {}) {
      const context = await browser.newContext({
        baseURL: floe.url,
        viewport: DESKTOP,
        locale: 'en-GB',
        reducedMotion: 'reduce',
        ...options,
      })
      context.setDefaultTimeout(20_000)
      // The first page is watched before it loads anything, like every page opened from it.
      context.on('page', (page) => {
        problems.watch(page)
        if (options.javaScriptEnabled !== false) awaitApplication(page)
      })
      const page = await context.newPage()
      return {
        context,
        page,
        async open(path) {
          await page.goto(path)
        },
        leave: () => context.close(),
      }
    },
    async conclude({ task }) {
      const evidence = process.env['FLOE_E2E_EVIDENCE']
      const pages = browser.contexts().flatMap((context) => context.pages())
      if (evidence && task.result?.state === 'fail') {
        for (const [index, page] of pages.entries()) {
          const path = join(evidence, `${task.name.replaceAll(/\W+/g, '-')}-${index}`)
          await page.screenshot({ path: `${path}.png` })
          await writeFile(`${path}.yml`, await page.locator('body').ariaSnapshot())
        }
      }
      const complaints = problems.take()
      if (complaints.length > 0) {
        throw new Error(`the browser complained:\n${complaints.join('\n')}`)
      }
    },
    async end() {
      await browser.close()
      await floe.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
