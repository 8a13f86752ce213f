import type { ReadGrant } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { type ArchivePlan, planArchive } from '../archive/index.ts'
import type { FileStore, StoredFile } from './ports.ts'

/** The archive of the edition a grant tells, from its rows; ranges of one download reuse it. */
export interface ArchivePlans {
  planFor(grant: ReadGrant): Promise<ArchivePlan>
}

const KEPT_PLANS = 32
const KEPT_ENTRIES = 200_000

export function createArchivePlans({ files }: { files: FileStore }): ArchivePlans {
  const kept = new Map<string, { plan: ArchivePlan; revision: string; entries: number }>()

  return {
    planFor: async (grant) => {
      const { shareUid } = grant
      const revision = await files.revision(grant)
      const known = kept.get(shareUid)
      if (known?.revision === revision) return known.plan
      const stored = await files.list(grant)
      if (stored.length === 0) throw new AppError('file_not_found')
      const plan = planOf(stored)
      kept.delete(shareUid)
      kept.set(shareUid, { plan, revision, entries: stored.length })
      forgetOldest()
      return plan
    },
  }

  function forgetOldest() {
    let entries = 0
    for (const [shareUid, known] of [...kept].reverse()) {
      entries += known.entries
      if (entries > KEPT_ENTRIES || kept.size > KEPT_PLANS) kept.delete(shareUid)
    }
  }
}

function planOf(stored: readonly StoredFile[]): ArchivePlan {
  return planArchive(
    stored.map(({ id, objectKey, name, sizeBytes, crc32, createdAt }) => ({
      fileId: id,
      objectKey,
      path: name,
      sizeBytes,
      crc32,
      modifiedAt: createdAt,
    })),
  )
}
