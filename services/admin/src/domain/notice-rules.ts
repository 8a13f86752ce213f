import { isNewer, type Release, RELEASE_VERSION, type ScanReport } from '@floe/contracts'

/** Something about the installation that administrators are told once. */
export type Notice =
  | { kind: 'user.created'; id: string; username: string }
  | ({ kind: 'storage.almost_full' } & Space)
  /** `count` in all; the latest of them failed at `latestAt`. */
  | { kind: 'job.failed'; count: number; latestAt: string }
  | ({ kind: 'release.published' } & Release)
  /** `count` in all; the latest of them was found at `latestAt`. */
  | { kind: 'file.infected'; count: number; latestAt: string }
  /** The virus scanner cannot be asked while files wait for it. */
  | { kind: 'scanner.away'; waiting: number }

export type NoticeKind = Notice['kind']

export interface Space {
  usedBytes: number
  totalBytes: number
}

/** How the installation is right now; `null` where that is unknown, or there is no such thing. */
export interface Observed {
  /** Made lately, those told included. */
  accounts: readonly { id: string; username: string }[]
  /** Each of what storage may come to: its limit, and its disk. */
  spaces: readonly (Space | null)[]
  failedJobs: { count: number; latestAt: string } | null
  release: Release | null
  scans: ScanReport | null
}

export interface ToldNotice {
  kind: NoticeKind
  subject: string
  at: Date
}

/** From here on it is told, and again only after it was below the other one. */
const ALMOST_FULL = 0.9
const ROOM_AGAIN = 0.85
const FAILED_JOBS_QUIET_MS = 24 * 60 * 60 * 1000

/**
 * What there is to tell, given what was told before. `over`: what was told and no longer holds, so
 * that it is told when it comes again.
 */
export function findNotices(
  observed: Observed,
  told: readonly ToldNotice[],
  now: Date,
): { notices: Notice[]; over: NoticeKind[] } {
  const toldOf = (kind: NoticeKind) => told.filter((one) => one.kind === kind)
  const subjects = new Set(told.map(keyOf))
  const space = fullest(observed.spaces)
  const failed = failedJobs(observed, toldOf('job.failed'), now)
  const isLatestNewer = observed.release && isNewer(observed.release.version, RELEASE_VERSION)
  const notices: Notice[] = [
    ...(space && share(space) >= ALMOST_FULL
      ? [{ kind: 'storage.almost_full', ...space } as const]
      : []),
    ...(failed ? [failed] : []),
    ...(observed.release && isLatestNewer
      ? [{ kind: 'release.published', ...observed.release } as const]
      : []),
    ...antivirusNotices(observed, toldOf('file.infected')),
    ...observed.accounts.map((account) => ({ kind: 'user.created', ...account }) as const),
  ]
  const isOver: Partial<Record<NoticeKind, boolean>> = {
    'storage.almost_full': space !== null && share(space) < ROOM_AGAIN,
    'scanner.away': observed.scans?.isReachable ?? false,
  }
  return {
    notices: notices.filter(
      (notice) => !subjects.has(keyOf({ kind: notice.kind, subject: subjectOf(notice) })),
    ),
    over: [...new Set(told.map(({ kind }) => kind))].filter((kind) => isOver[kind]),
  }
}

/** What tells two notices of a kind apart. */
export function subjectOf(notice: Notice): string {
  switch (notice.kind) {
    case 'user.created':
      return notice.id
    case 'storage.almost_full':
      return 'storage'
    case 'job.failed':
    case 'file.infected':
      return notice.latestAt
    case 'scanner.away':
      return 'scanner'
    case 'release.published':
      return notice.version
  }
}

function keyOf({ kind, subject }: Pick<ToldNotice, 'kind' | 'subject'>): string {
  return `${kind}/${subject}`
}

/** Once a day at most, and only if another one failed since. */
function failedJobs({ failedJobs: failed }: Observed, told: readonly ToldNotice[], now: Date) {
  if (failed === null || failed.count === 0) return null
  const isQuiet = told.every(({ at }) => now.getTime() - at.getTime() >= FAILED_JOBS_QUIET_MS)
  const isNew = told.every(({ subject }) => subject < failed.latestAt)
  return isQuiet && isNew ? ({ kind: 'job.failed', ...failed } as const) : null
}

/** Of files found since the last ones were told, and of a scanner that files wait for. */
function antivirusNotices({ scans }: Observed, told: readonly ToldNotice[]): Notice[] {
  if (scans === null) return []
  const { isReachable, waiting, infected: count, latestInfectedAt: latestAt } = scans
  const isNew = latestAt !== null && told.every(({ subject }) => subject < latestAt)
  return [
    ...(isNew ? [{ kind: 'file.infected', count, latestAt } as const] : []),
    ...(!isReachable && waiting > 0 ? [{ kind: 'scanner.away', waiting } as const] : []),
  ]
}

function share({ usedBytes, totalBytes }: Space): number {
  return usedBytes / totalBytes
}

function fullest(spaces: readonly (Space | null)[]): Space | null {
  const known = spaces.filter((space) => space !== null).filter(({ totalBytes }) => totalBytes > 0)
  return known.sort((a, b) => share(b) - share(a))[0] ?? null
}
