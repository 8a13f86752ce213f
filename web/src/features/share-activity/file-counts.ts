import type { ShareActivity } from '@floe/contracts'

export type FileCount = ShareActivity['files'][number]

export interface Sorting {
  by: 'name' | 'size' | 'total' | 'lastDownloadedAt'
  descending: boolean
}

/** Equals follow their names. */
export function sortFiles(
  files: readonly FileCount[],
  { by, descending }: Sorting,
  locale: string,
): FileCount[] {
  const collator = new Intl.Collator(locale, { numeric: true })
  const byName = (a: FileCount, b: FileCount) => collator.compare(a.name, b.name)
  const sign = descending ? -1 : 1
  return files.toSorted((a, b) => {
    if (by === 'name') return sign * byName(a, b)
    return sign * (rank(a, by) - rank(b, by)) || byName(a, b)
  })
}

function rank(file: FileCount, by: Exclude<Sorting['by'], 'name'>): number {
  return by === 'lastDownloadedAt' ? Date.parse(file[by] ?? '1970') : Number(file[by])
}

/** When anything was last downloaded; `null` when nothing ever was. */
export function lastDownloadOf({ archive, files }: Pick<ShareActivity, 'archive' | 'files'>) {
  const times = [archive, ...files].flatMap(({ lastDownloadedAt }) =>
    lastDownloadedAt === null ? [] : Date.parse(lastDownloadedAt),
  )
  return times.length === 0 ? null : new Date(times.reduce((a, b) => Math.max(a, b)))
}
