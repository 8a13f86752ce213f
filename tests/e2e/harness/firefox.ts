import { mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch, type Page } from 'puppeteer-core'
import { expect } from 'vitest'

export interface Firefox {
  /** A page that nobody is signed in on, and that shares nothing with others. */
  visit(): Promise<Page>
  /** Waits for what the browser itself saves, whole, and moves it to `path`. */
  save(start: () => Promise<void>, path: string): Promise<void>
  close(): Promise<void>
}

/** The system's Firefox, by WebDriver BiDi: Playwright drives none but its own builds. */
export async function launchFirefox(): Promise<Firefox> {
  const folder = await mkdtemp(join(tmpdir(), 'floe-firefox-'))
  const browser = await launch({
    browser: 'firefox',
    executablePath: process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr',
    headless: true,
    extraPrefsFirefox: {
      // Into a folder of choice, without asking.
      'browser.download.folderList': 2,
      'browser.download.dir': folder,
      'browser.download.always_ask_before_handling_new_types': false,
      'intl.accept_languages': 'en-GB',
    },
  })

  /** What comes is in a file called `….part`, beside an empty one with its name. */
  async function findSaved(): Promise<string | null> {
    const [name, ...others] = await readdir(folder)
    if (name === undefined || others.length > 0 || name.endsWith('.part')) return null
    const path = join(folder, name)
    return (await stat(path)).size > 0 ? path : null
  }

  return {
    async visit() {
      const context = await browser.createBrowserContext()
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      return page
    },
    async save(start, path) {
      await start()
      await expect.poll(findSaved, { timeout: 120_000 }).not.toBeNull()
      await rename((await findSaved()) ?? '', path)
    },
    async close() {
      await browser.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
