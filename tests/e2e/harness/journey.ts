import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { TestContext } from 'vitest'
import { administrator } from './administrator.ts'
import { type ArrangedFloe, type Arranging, startArrangedFloe } from './arranged-floe.ts'
import { type Fonts, launchBrowser } from './browser.ts'
import { enter, join, type Person } from './people.ts'
import { createProblemLog, type ProblemLog } from './problems.ts'
import type { LentFloe } from './shared-floes.ts'

// With FLOE_E2E_EVIDENCE naming a folder, a failed test leaves there what its pages showed.

/** A Floe and a browser on it. */
export interface Journey extends LentFloe {
  readonly browser: Browser
  readonly problems: ProblemLog
  /** For files to upload; gone with the journey. */
  readonly folder: string
  /** A person with a browser profile of their own. */
  visit(options?: BrowserContextOptions): Promise<Visitor>
  /** Somebody with a new account, signed in. */
  visitAsMember(options?: BrowserContextOptions): Promise<Member>
  /** The administrator, signed in. */
  visitAsAdministrator(options?: BrowserContextOptions): Promise<Member>
  /** After each test: fails on anything the browser complained about. */
  conclude(test: TestContext): Promise<void>
  end(): Promise<void>
}

/** On a Floe of its own, which it may kill. */
export type OwnJourney = Journey & ArrangedFloe

export interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
  /** Opens an address of this Floe. */
  open(path: string): Promise<void>
  leave(): Promise<void>
}

export interface Member extends Visitor {
  readonly person: Person
}

export interface OwnBrowser {
  /** Where the browser writes what its sockets did. */
  networkLog?: (folder: string) => string
  fonts?: Fonts
}

/** Documents show their heading before the application is there to respond to a press. */
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

/** On a Floe and in a browser that nobody else uses. */
export async function startJourney({
  browser = {},
  ...arranging
}: Arranging & { browser?: OwnBrowser } = {}): Promise<OwnJourney> {
  const arranged = await startArrangedFloe(arranging)
  return beginJourney(arranged, {
    openBrowser: (folder) => openBrowser(browser, folder),
    async end(opened) {
      await opened.close()
      await arranged.floe.stop()
    },
  })
}

export function openBrowser({ networkLog, ...rest }: OwnBrowser, folder: string): Promise<Browser> {
  return launchBrowser({ ...rest, ...(networkLog && { networkLog: networkLog(folder) }) })
}

export async function beginJourney<F extends LentFloe>(
  floe: F,
  steps: { openBrowser(folder: string): Promise<Browser>; end(browser: Browser): Promise<void> },
): Promise<Journey & F> {
  const folder = await mkdtemp(joinPath(tmpdir(), 'floe-e2e-'))
  const problems = createProblemLog()
  const browser = await steps.openBrowser(folder)

  async function visit(options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await browser.newContext({
      baseURL: floe.floe.url,
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
  }

  return {
    ...floe,
    browser,
    problems,
    folder,
    visit,
    async visitAsMember(options) {
      const visitor = await visit(options)
      return { ...visitor, person: await join(visitor) }
    },
    async visitAsAdministrator(options) {
      const visitor = await visit(options)
      await enter(visitor, administrator)
      return { ...visitor, person: administrator }
    },
    async conclude({ task }) {
      const evidence = process.env['FLOE_E2E_EVIDENCE']
      const pages = browser.contexts().flatMap((context) => context.pages())
      if (evidence && task.result?.state === 'fail') {
        for (const [index, page] of pages.entries()) {
          const path = joinPath(evidence, `${task.name.replaceAll(/\W+/g, '-')}-${index}`)
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
      await steps.end(browser)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
