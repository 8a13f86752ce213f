import type { FileListing } from '../../files/domain/file-ports.ts'
import type { DownloadCounter } from './download-counter.ts'
import type { DownloadCountStore } from './download-ports.ts'
import type { DownloadCount, FilePort } from '@floe/contracts'
import { AppError } from '@floe/errors'

export interface CountDownloadsDependencies {
  files: Pick<FileListing, 'list'>
  counts: Pick<DownloadCountStore, 'totals' | 'hours'>
  counter: Pick<DownloadCounter, 'flush'>
}

/** What `filePort.countDownloads` promises; what this process has just counted is part of it. */
export function createCountDownloads({
  files,
  counts,
  counter,
}: CountDownloadsDependencies): FilePort['countDownloads'] {
  return async ({ grant, only, since }) => {
    await counter.flush()
    const narrowed = only === null ? {} : { only: only === 'zip' ? null : only }
    const [listed, totals, hours] = await Promise.all([
      files.list(grant),
      counts.totals(grant),
      counts.hours(grant, { since: new Date(since), ...narrowed }),
    ])
    const isKnown = only === null || only === 'zip' || listed.some(({ id }) => id === only)
    if (!isKnown) throw new AppError('file_not_found')
    const byFile = new Map(totals.map((counted) => [counted.fileId, counted]))
    const countOf = (fileId: string | null): DownloadCount => {
      const counted = byFile.get(fileId)
      return {
        total: counted?.total ?? 0,
        lastDownloadedAt: counted?.lastAt.toISOString() ?? null,
      }
    }
    return {
      hours: hours.map(({ hour, count }) => ({ hour: hour.toISOString(), count })),
      archive: countOf(null),
      files: listed.map(({ id, name, sizeBytes }) => ({ id, name, sizeBytes, ...countOf(id) })),
    }
  }
}
