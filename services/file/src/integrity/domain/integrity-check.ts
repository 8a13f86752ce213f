import { createObjectComparison, type ObjectComparisonOptions } from './compare-objects.ts'
import { createShareComparison, type ShareComparisonOptions } from './compare-shares.ts'
import type { StorageUsage } from '../../quotas/domain/quotas.ts'
import type { CounterDifference, Difference, Look } from './differences.ts'

export interface CheckReport {
  /** Rows of files, and objects of any kind. */
  fileCount: number
  objectCount: number
  differences: Difference[]
}

export interface IntegrityCheckOptions extends ShareComparisonOptions, ObjectComparisonOptions {
  usage: Pick<StorageUsage, 'findMiscounts'>
  /** Lets what is under way come to an end before a difference is looked at again. */
  pause(): Promise<void>
}

export interface IntegrityCheck {
  /** Changes nothing. */
  run(look: Look): Promise<CheckReport>
}

/** How often a difference is looked at again before it counts. */
const SECOND_LOOKS = 3

/**
 * Compares storage and database in both directions, also while Floe is at work. Between the look at
 * a row and the look at its object either may change, so whatever differs is looked at again: it
 * counts only if it stays.
 */
export function createIntegrityCheck(options: IntegrityCheckOptions): IntegrityCheck {
  const objects = createObjectComparison(options)
  const shares = createShareComparison(options)

  async function compareCounters(): Promise<CounterDifference[]> {
    const miscounts = await options.usage.findMiscounts()
    return miscounts.map((miscount) => ({ kind: 'miscounted', ...miscount }))
  }

  async function lookAgain(difference: Difference, look: Look): Promise<Difference[]> {
    // One look is as good as another: it compares what belongs to one moment.
    if (difference.kind === 'miscounted') return [difference]
    if (difference.kind === 'share_gone' || difference.kind === 'files_gone') {
      return shares.lookAgain(difference)
    }
    return objects.lookAgain(difference, look)
  }

  async function confirm(found: Difference[], look: Look): Promise<Difference[]> {
    let differences = found
    for (let round = 0; round < SECOND_LOOKS && differences.length > 0; round += 1) {
      await options.pause()
      const left: Difference[] = []
      for (const difference of differences) {
        look.signal.throwIfAborted()
        left.push(...(await lookAgain(difference, look)))
      }
      differences = left
    }
    return differences
  }

  return {
    run: async (look) => {
      const rows = await objects.compareRows(look)
      const stored = await objects.compareStorage(look)
      const found = [
        ...rows.differences,
        ...stored.differences,
        ...(await shares.compare(look)),
        ...(await compareCounters()),
      ]
      const differences = await confirm(found, look)
      return { fileCount: rows.fileCount, objectCount: stored.objectCount, differences }
    },
  }
}
