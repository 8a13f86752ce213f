import type { Browser } from 'playwright-core'
import lighthouse, { type Flags, type Result, type RunnerResult } from 'lighthouse'
import { findFreePort } from '@floe/testing'
import { launchBrowser } from './browser.ts'

/** A browser that Lighthouse drives; it ends with `close`. */
export interface LighthouseRunner {
  /** Visits as a phone of the middle class on slow 4G would, with an empty cache. */
  visit(address: string, options?: { only?: Only }): Promise<Visit>
  close(): Promise<void>
}

/** Whole categories and single audits; everything without it. */
export interface Only {
  categories: readonly string[]
  audits?: readonly string[]
}

export interface Visit {
  /** Out of 100. */
  scoreOf(category: string): number
  /** Audits of the category that were not passed, and say so in its score. */
  failuresIn(category: string): string[]
  /** What an audit measured. */
  valueOf(audit: string): number | undefined
  /** Errors and warnings in the console, which only the best practices collect. */
  complaints(): string[]
}

export async function startLighthouse(): Promise<LighthouseRunner> {
  const devtoolsPort = await findFreePort()
  const browser: Browser = await launchBrowser({ devtoolsPort })
  return {
    async visit(address, { only } = {}) {
      const { lhr, artifacts } = await run(address, {
        port: devtoolsPort,
        logLevel: 'silent',
        ...(only && { onlyCategories: [...only.categories] }),
        ...(only?.audits && { onlyAudits: [...only.audits] }),
      })
      return {
        scoreOf: (category) => Math.round(100 * (find(lhr, category).score ?? 0)),
        failuresIn: (category) =>
          find(lhr, category)
            .auditRefs.filter(({ weight }) => weight > 0)
            .map(({ id }) => lhr.audits[id])
            .flatMap((audit) =>
              audit && audit.score !== null && audit.score < 1 ? [audit.id] : [],
            ),
        valueOf: (audit) => lhr.audits[audit]?.numericValue,
        complaints: () =>
          artifacts.ConsoleMessages.filter(
            ({ level }) => level === 'error' || level === 'warning',
          ).map(({ level, text }) => `${level}: ${text}`),
      }
    },
    close: () => browser.close(),
  }
}

/** A trace may miss its beginning on a busy machine, after which Lighthouse asks again. */
async function run(address: string, flags: Flags, turnsLeft = 3): Promise<RunnerResult> {
  const result = await lighthouse(address, flags)
  if (!result) throw new Error(`Lighthouse says nothing of ${address}`)
  const { runtimeError } = result.lhr
  if (!runtimeError) return result
  if (runtimeError.code !== 'NO_NAVSTART' || turnsLeft === 1) {
    throw new Error(`${address}: ${runtimeError.message}`)
  }
  return run(address, flags, turnsLeft - 1)
}

function find(lhr: Result, category: string) {
  const found = lhr.categories[category]
  if (!found) throw new Error(`Lighthouse did not judge ${category}`)
  return found
}
