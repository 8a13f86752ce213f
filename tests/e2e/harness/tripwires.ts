import type { BrowserContext } from 'playwright-core'
import { MARK } from './active-files.ts'

/** What a script that ran in this browser profile has done so far, as sentences. */
export interface Tripwires {
  /** Asks the browser too: cookies, storage and workers of the site. Told once. */
  take(): Promise<string[]>
}

export function stretchTripwires(context: BrowserContext, site: string): Tripwires {
  let touched: string[] = []
  context.on('request', (request) => {
    const url = request.url()
    if (url.includes(`/${MARK}`)) touched.push(`asked for ${url}`)
  })
  context.on('dialog', (dialog) => {
    touched.push(`${dialog.page()?.url()} said ${dialog.message()}`)
    // A dialog that waits for a page that is already gone has nobody to respond to.
    dialog.dismiss().catch(() => undefined)
  })

  return {
    async take() {
      const cookies = await context.cookies()
      if (cookies.some(({ name }) => name === MARK)) touched.push('a cookie of the site was set')
      const page = await context.newPage()
      await page.goto(`${site}/img/logo.svg`)
      const stored = await page.evaluate<boolean>(`localStorage.getItem('${MARK}') !== null`)
      if (stored) touched.push('storage of the site was written')
      const workers = await page.evaluate<string[]>(
        `navigator.serviceWorker.getRegistrations().then((all) =>
          all.map(({ installing, waiting, active }) => (installing ?? waiting ?? active).scriptURL))`,
      )
      // The site's own, for what an installed one is handed.
      const foreign = workers.filter((script) => script !== `${site}/share-target.js`)
      if (foreign.length > 0) touched.push(`a service worker was registered: ${foreign.join()}`)
      await page.close()
      const taken = touched
      touched = []
      return taken
    },
  }
}
