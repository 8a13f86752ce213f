import type { Release } from '@floe/contracts'
import type { Log } from '@floe/log'
import { z } from 'zod'
import type { Configuration } from './configuration.ts'

const FRESH_MS = 6 * 3_600_000
/** An installation without internet access does not try again at once. */
const RETRY_MS = 15 * 60_000
const TIMEOUT_MS = 5_000

/** https://docs.github.com/en/rest/releases/releases#get-the-latest-release */
const responseSchema = z.object({
  tag_name: z.string().max(100),
  html_url: z.url({ protocol: /^https?$/ }).max(500),
})

export interface Releases {
  /** Null while it is unknown, and always where the check is switched off. Never fails. */
  latest(): Promise<Release | null>
}

interface Known {
  repository: string
  release: Release | null
  /** Milliseconds of the clock. */
  askAgainAt: number
}

export interface ReleasesOptions {
  configuration: Pick<Configuration, 'settings'>
  /** Address of GitHub, or of a server with the same API. */
  apiUrl: string
  log: Log
  clock: () => Date
}

/** Asks the repository on behalf of the administrators, whose browsers stay unknown to it. */
export function createReleases({ configuration, apiUrl, log, clock }: ReleasesOptions): Releases {
  let known: Known | null = null
  let asking: Promise<Known> | null = null

  async function ask(repository: string): Promise<Known> {
    const before = known?.repository === repository ? known.release : null
    try {
      const response = await fetch(`${apiUrl}/repos/${repository}/releases/latest`, {
        headers: { Accept: 'application/vnd.github+json', 'User-Agent': 'Floe' },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (!response.ok) throw new Error(`the repository returned ${response.status}`)
      const { tag_name: tag, html_url: url } = responseSchema.parse(await response.json())
      const release = { version: tag.replace(/^v/, ''), url }
      return { repository, release, askAgainAt: clock().getTime() + FRESH_MS }
    } catch (error) {
      log.debug({ err: error }, 'could not check for the latest release')
      return { repository, release: before, askAgainAt: clock().getTime() + RETRY_MS }
    }
  }

  return {
    async latest() {
      const repository = (await configuration.settings())['general.releaseRepository']
      if (repository === '') return null
      const isKnown = known?.repository === repository && clock().getTime() < known.askAgainAt
      if (!isKnown) {
        // Everybody who comes meanwhile waits for the same response.
        asking ??= ask(repository).finally(() => {
          asking = null
        })
        known = await asking
      }
      return known?.repository === repository ? known.release : null
    },
  }
}
