import type { Locator, Page } from 'playwright-core'

/** What is filled in while files are sent. */
export function shareOptions(page: Page): Locator {
  return page.getByRole('region', { name: 'Create share' })
}

export function shareButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Share', exact: true })
}

/** A file of the list on the upload page. */
export function fileRow(page: Page, name: string | RegExp): Locator {
  return page
    .getByRole('list', { name: 'Files being uploaded' })
    .getByText(name, { exact: typeof name === 'string' })
}

/** Chooses files on the upload page, gives their share a link and shares it. */
export async function beginShare(
  page: Page,
  { files, link }: { files: string[]; link: string },
): Promise<void> {
  await page.goto('/upload')
  await page.getByLabel('Files to upload').setInputFiles(files)
  await shareOptions(page).getByLabel('Link').fill(link)
  await shareButton(page).click()
  await page.getByRole('heading', { name: 'Uploading', level: 1 }).waitFor()
}

interface ElementInPage {
  getAttribute(name: string): string | null
}

/** Resolves once the bar stands at `percent` or more. */
export async function waitForProgress(bar: Locator, percent: number): Promise<void> {
  const element = await bar.elementHandle()
  await bar
    .page()
    .waitForFunction(
      ({ element, percent }: { element: ElementInPage; percent: number }) =>
        Number(element.getAttribute('aria-valuenow')) >= percent,
      { element, percent },
      { polling: 'raf', timeout: 300_000 },
    )
}

export function totalProgress(page: Page): Locator {
  return page.getByRole('progressbar', { name: 'Total progress' })
}

export async function finishShare(page: Page, timeoutMs = 60_000): Promise<string> {
  const done = page.getByRole('dialog', { name: 'Your share is ready' })
  await done.waitFor({ timeout: timeoutMs })
  const link = await done.getByLabel('Share link').inputValue()
  await done.getByRole('button', { name: 'Done' }).click()
  return link
}

export interface Line {
  /** Unlimited without `uploadBytesPerSecond`. */
  set(state: { offline?: boolean; uploadBytesPerSecond?: number }): Promise<void>
}

/** The line of a page: takes the place of a network that is slower than this computer, or gone. */
export async function takeLine(page: Page): Promise<Line> {
  // Several sessions would each have conditions of their own, and the worst would count.
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  return {
    async set({ offline = false, uploadBytesPerSecond = -1 }) {
      await devtools.send('Network.emulateNetworkConditions', {
        offline,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: uploadBytesPerSecond,
      })
    },
  }
}
