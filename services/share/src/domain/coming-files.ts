import type { Announcement, FilePort, UnfinishedFiles } from '@floe/contracts'
import type { ShareStore } from './ports.ts'
import { grantWorkingRead } from './read-grant.ts'
import type { Share } from './share.ts'

interface Measured {
  fileCount: number
  sizeBytes: number
}

/** What has not arrived of a share yet: numbers of all of it, and the files that arrive next. */
export type ComingFiles = UnfinishedFiles

interface Arrived {
  name: string
  sizeBytes: number
}

export interface ComingDeps {
  shares: Pick<ShareStore, 'listAnnounced'>
  files: Pick<FilePort, 'listUnfinished'>
}

/** What has not arrived of each of these shares that is uploading; others are left out. */
export async function readComing(
  { shares, files }: ComingDeps,
  contents: readonly { share: Share; files: readonly Arrived[] }[],
): Promise<Map<string, ComingFiles>> {
  const uploading = contents.filter(({ share: { state } }) => state === 'uploading')
  if (uploading.length === 0) return new Map()
  const announced = await shares.listAnnounced(uploading.map(({ share: { uid } }) => uid))
  return new Map(
    await Promise.all(
      uploading.map(async ({ share, files: arrived }): Promise<[string, ComingFiles]> => {
        const unfinished = await files.listUnfinished({ grant: grantWorkingRead(share) })
        const announcement = announced.get(share.uid) ?? null
        return [share.uid, joinComing({ announced: announcement, arrived, unfinished })]
      }),
    ),
  )
}

/**
 * Uploads that were begun, and behind them what was announced beside them. The numbers follow from
 * what was announced in all, since not every name was.
 */
export function joinComing({
  announced,
  arrived,
  unfinished,
}: {
  announced: Announcement | null
  arrived: readonly Arrived[]
  unfinished: UnfinishedFiles
}): ComingFiles {
  if (announced === null) return unfinished
  const files = [...unfinished.files, ...notBegun(announced, [...arrived, ...unfinished.files])]
  const known = measure(files)
  const stored = measure(arrived)
  return {
    fileCount: Math.max(announced.fileCount - stored.fileCount, known.fileCount),
    sizeBytes: Math.max(announced.size - stored.sizeBytes, known.sizeBytes),
    receivedBytes: unfinished.receivedBytes,
    files,
  }
}

/** Each file that is there stands for one of its name and size. */
function notBegun({ files }: Announcement, begun: readonly Arrived[]) {
  const left = new Map<string, number>()
  for (const { name, sizeBytes } of begun) {
    const key = `${sizeBytes}/${name}`
    left.set(key, (left.get(key) ?? 0) + 1)
  }
  return files.flatMap(({ name, size: sizeBytes }) => {
    const key = `${sizeBytes}/${name}`
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count > 0 ? [] : [{ name, sizeBytes, receivedBytes: 0 }]
  })
}

function measure(files: readonly Arrived[]): Measured {
  return {
    fileCount: files.length,
    sizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  }
}
