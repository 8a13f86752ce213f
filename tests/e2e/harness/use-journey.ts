import { afterAll, afterEach, beforeAll, inject } from 'vitest'
import { appointAdministrator } from './administrator.ts'
import type { Arranging } from './arranged-floe.ts'
import { borrowBrowser } from './browser.ts'
import {
  beginJourney,
  type Journey,
  openBrowser,
  type OwnBrowser,
  type OwnJourney,
  startJourney,
} from './journey.ts'
import type { LentFloe } from './shared-floes.ts'

interface OwnFloe extends Pick<Arranging, 'environment' | 'onOutput'> {
  browser?: OwnBrowser
  /** Nobody has an account yet. */
  isNew?: boolean
  /** One process over a data directory of its own: nothing is copied into it, nothing is elsewhere. */
  isDemo?: boolean
}

/**
 * The journey of a test file, on the Floe of its worker: with an administrator and default settings,
 * and with accounts and shares that files before it have left. In a browser of its own if it asks
 * for one.
 */
export function useJourney({ browser }: { browser?: OwnBrowser } = {}): Journey {
  return use(() => borrowJourney(browser))
}

/** The journey of a test file that its Floe has to itself, to be set up otherwise or to be killed. */
export function useOwnFloe(choose: OwnFloe | (() => Promise<OwnFloe> | OwnFloe) = {}): OwnJourney {
  return use(async () => {
    const {
      isNew = false,
      isDemo = false,
      ...options
    } = typeof choose === 'function' ? await choose() : choose
    const storage = isDemo ? undefined : inject('splitStorage')
    const template = storage || isDemo ? undefined : await ask<string>('/template')
    const journey = await startJourney({ ...options, storage, template })
    if (!isNew && !isDemo) await appointAdministrator(journey.floe.url)
    return journey
  })
}

export async function borrowJourney(own?: OwnBrowser): Promise<Journey> {
  const floe = await ask<LentFloe>(`/floe?worker=${process.env['VITEST_POOL_ID']}`)
  return beginJourney(floe, {
    openBrowser: (folder) => (own ? openBrowser(own, folder) : borrowBrowser()),
    async end(browser) {
      if (own) await browser.close()
      else await Promise.all(browser.contexts().map((context) => context.close()))
    },
  })
}

async function ask<T>(path: string): Promise<T> {
  const response = await fetch(inject('sharedFloesUrl') + path)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as T
}

/** There once the tests of the file run. */
function use<J extends Journey>(start: () => Promise<J>): J {
  let journey: J | undefined
  beforeAll(async () => {
    journey = await start()
  })
  afterEach((context) => journey?.conclude(context))
  afterAll(() => journey?.end())
  return new Proxy({} as J, {
    get(_, name) {
      if (!journey) throw new Error('the journey has not begun')
      return Reflect.get(journey, name)
    },
  })
}
