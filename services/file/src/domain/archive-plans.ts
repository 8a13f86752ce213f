import type { ReadGrant } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { type ArchivePlan, planArchive } from '../archive/index.ts'
import type { FileStore, StoredFile } from './ports.ts'

export interface PlannedArchive {
  plan: ArchivePlan
  /** When its newest file came. */
  newestAt: Date
}

/** The archive of a share as it is now, computed from its rows; ranges of one download reuse it. */
export interface ArchivePlans {
  planFor(grant: ReadGrant): Promise<PlannedArchive>
}

const KEPT_PLANS = 32
const KEPT_ENTRIES = 200_000

export function createArchivePlans({ files }: { files: FileStore }): ArchivePlans {
  const kept = new Map<string, PlannedArchive & { revision: string; entries: number }>()

  return {
    planFor: async ({ shareUid }) => {
      const revision = await files.revision(shareUid)
      const known = kept.get(shareUid)
      if (known?.revision === revision) return known
      const stored = await files.list(shareUid)
      if (stored.length === 0) throw new AppError('file_not_found')
      const planned = { ...planOf(stored), revision, entries: stored.length }
      kept.delete(shareUid)
      kept.set(shareUid, planned)
      forgetOldest()
      return planned
    },
  }

  function forgetOldest() {
    let entries = 0
    for (const [shareUid, plan] of [...kept].reverse()) {
      entries += plan.entries
      if (entries > KEPT_ENTRIES || kept.size > KEPT_PLANS) kept.delete(shareUid)
    }
  }
}

function planOf(stored: readonly StoredFile[]): PlannedArchive {
  const plan = planArchive(
    stored.map(({ id, objectKey, name, sizeBytes, crc32, createdAt }) => ({
      fileId: id,
      objectKey,
      path: name,
      sizeBytes,
      crc32,
      modifiedAt: createdAt,
    })),
  )
  const newest = stored.reduce((latest, { createdAt }) => Math.max(latest, createdAt.getTime()), 0)
  return { plan, newestAt: new Date(newest) }
}
