import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Session } from '../floe/session.ts'

/** A mid-range phone against this machine, as Lighthouse counts it for slow ones. */
const SLOWER = 6

/** A phone on which somebody is signed in. */
export async function takePhone(browser: Browser, session: Session): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: `http://127.0.0.1:${session.port}`,
    locale: 'en-GB',
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  })
  await signIn(context, session)
  return context
}

export async function signIn(context: BrowserContext, session: Session): Promise<void> {
  const url = `http://127.0.0.1:${session.port}`
  const cookies = session.cookie.split('; ').map((cookie) => {
    const [name = '', value = ''] = cookie.split(/=(.*)/s)
    return { name, value, url }
  })
  await context.addCookies(cookies)
}

/** Has the page's own thread run as slowly as on a phone. */
export async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
}
