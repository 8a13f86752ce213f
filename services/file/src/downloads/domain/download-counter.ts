import { outsideRequests } from '@floe/log'
import type { DownloadCount, DownloadCountStore, Downloaded } from './download-ports.ts'

/** What a crash may lose. */
const gatherMs = 1_000
/** Rows of one statement: a burst is a few transactions, none of them long. */
const batchRows = 1_000

const hourMs = 3_600_000

/**
 * Counts every download that begins. Counts are gathered for a second and written together, so that
 * ten thousand small downloads a second are a few statements. Nothing that is downloaded waits for
 * it or fails with it; what cannot be written is kept and tried again. A crash loses the last second.
 */
export interface DownloadCounter {
  count(downloaded: Downloaded): void
  /** Resolves once what was counted so far is written, or is known not to be. */
  flush(): Promise<void>
  /** The last flush. */
  stop(): Promise<void>
}

export interface DownloadCounterDependencies {
  counts: Pick<DownloadCountStore, 'add'>
  log: { warn(fields: object, text: string): void }
  clock: () => Date
}

export function createDownloadCounter({
  counts,
  log,
  clock,
}: DownloadCounterDependencies): DownloadCounter {
  let gathered = new Map<string, DownloadCount>()
  let timer: NodeJS.Timeout | null = null
  let isStopped = false
  let lastFlush = Promise.resolve()

  function add(entry: DownloadCount): void {
    const key = `${entry.shareUid} ${entry.fileId} ${entry.hour.getTime()}`
    const known = gathered.get(key)
    if (known) {
      known.count += entry.count
      if (entry.lastAt > known.lastAt) known.lastAt = entry.lastAt
    } else gathered.set(key, { ...entry })
    if (isStopped) return
    timer ??= outsideRequests(() => setTimeout(() => void flush(), gatherMs).unref())
  }

  async function writeGathered(): Promise<void> {
    if (timer) clearTimeout(timer)
    timer = null
    const entries = [...gathered.values()]
    gathered = new Map()
    for (let start = 0; start < entries.length; start += batchRows) {
      const batch = entries.slice(start, start + batchRows)
      try {
        await counts.add(batch)
      } catch (err) {
        log.warn({ err, rows: batch.length }, 'could not count downloads; will retry')
        for (const entry of batch) add(entry)
      }
    }
  }

  // One after another: a caller that waits for a flush waits for all that was counted before.
  function flush(): Promise<void> {
    lastFlush = lastFlush.then(writeGathered)
    return lastFlush
  }

  return {
    count: (downloaded) => {
      const lastAt = clock()
      const hour = new Date(Math.floor(lastAt.getTime() / hourMs) * hourMs)
      add({ ...downloaded, hour, count: 1, lastAt })
    },
    flush,
    stop: () => {
      isStopped = true
      return flush()
    },
  }
}
