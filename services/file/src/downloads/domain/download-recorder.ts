import type { ReadGrant } from '@floe/contracts'
import type { Downloaded } from './download-ports.ts'

const quietMs = 60_000
/** More shares than this are not downloaded within a minute without being looked through. */
const manyShares = 1_000

export interface DownloadRecorder {
  /**
   * A download begins with the first byte: what an interrupted one continues with is none, nor what
   * the other connections of a download manager ask for. Counts each, and says so once a minute for
   * a share; nothing of its owner's. `fileId: null` is the archive. The transfer does not wait for it.
   */
  begun(grant: ReadGrant, what: { fileId: string | null; start: number }): void
}

export interface DownloadRecorderDependencies {
  count(downloaded: Downloaded): void
  /** Records share.downloaded. */
  record(shareUid: string): Promise<void>
  log: { warn(fields: object, text: string): void }
  clock: () => Date
}

export function createDownloadRecorder({
  count,
  record,
  log,
  clock,
}: DownloadRecorderDependencies): DownloadRecorder {
  const recordedAtMs = new Map<string, number>()

  function isQuiet(shareUid: string, nowMs: number): boolean {
    return nowMs - (recordedAtMs.get(shareUid) ?? -Infinity) < quietMs
  }

  return {
    begun: ({ shareUid, isOwner }, { fileId, start }) => {
      if (isOwner || start > 0) return
      count({ shareUid, fileId })
      const nowMs = clock().getTime()
      if (isQuiet(shareUid, nowMs)) return
      if (recordedAtMs.size >= manyShares) {
        for (const uid of recordedAtMs.keys()) if (!isQuiet(uid, nowMs)) recordedAtMs.delete(uid)
      }
      recordedAtMs.set(shareUid, nowMs)
      record(shareUid).catch((err: unknown) => {
        recordedAtMs.delete(shareUid)
        log.warn({ err }, 'could not record a download')
      })
    },
  }
}
