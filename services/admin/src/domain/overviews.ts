import {
  type Actor,
  type AuthPort,
  type FailedJobView,
  type FilePort,
  type DailyMetrics,
  type JobCountsView,
  type Overview,
  OVERVIEW_DAYS,
  type SharePort,
} from '@floe/contracts'
import type { AuditStore, MetricsStore } from './ports.ts'
import { createPartReader } from './read-part.ts'

const dayMs = 24 * 60 * 60 * 1000
const failedShown = 50
const auditEventsShown = 8
const reasonMaxLength = 500

/** The queue's own data, without what its jobs work on. */
export interface QueuedJobs {
  counts(): Promise<JobCountsView[]>
  /** The latest first. */
  listFailed(limit: number): Promise<FailedJobView[]>
  /** Its name. Fails with job_not_found, job_not_failed. */
  retry(id: string): Promise<string>
}

export interface Overviews {
  /** A part that cannot be reached is `null`, the rest is told. */
  read(): Promise<Overview>
  /** Records today's metrics. */
  recordMetrics(): Promise<void>
  /** Fails with job_not_found, job_not_failed, upstream_unavailable. */
  retryJob(id: string, actor: Actor): Promise<void>
}

export interface OverviewDependencies {
  jobs: QueuedJobs
  metrics: MetricsStore
  auditStore: AuditStore
  auth: Pick<AuthPort, 'countUsers'>
  share: Pick<SharePort, 'countShares'>
  file: Pick<FilePort, 'measureStorage' | 'scanReport'>
  log: { warn(fields: object, message: string): void }
  clock: () => Date
}

export function createOverviews(dependencies: OverviewDependencies): Overviews {
  const { jobs, metrics, auditStore, auth, share, file, log, clock } = dependencies
  const readPart = createPartReader(log)

  const measure = {
    storageBytes: async () => (await file.measureStorage({})).sizeBytes,
    shares: async () => (await share.countShares({})).count,
    users: async () => (await auth.countUsers({})).count,
  } satisfies Record<keyof DailyMetrics, () => Promise<number>>

  async function readJobs() {
    const [counts, failed] = await Promise.all([jobs.counts(), jobs.listFailed(failedShown)])
    return { counts, failed: failed.map(shortenReason) }
  }

  return {
    async read() {
      const since = dayOf(new Date(clock().getTime() - (OVERVIEW_DAYS - 1) * dayMs))
      const [storageBytes, shares, users, days, queue, scans, { entries }] = await Promise.all([
        readPart('storage', measure.storageBytes),
        readPart('shares', measure.shares),
        readPart('users', measure.users),
        metrics.listSince(since),
        readPart('jobs', readJobs),
        readPart('antivirus', () => file.scanReport({})),
        auditStore.list({ limit: auditEventsShown, offset: 0 }),
      ])
      const now = { storageBytes, shares, users }
      const antivirus = scans === null ? null : (scans.report ?? undefined)
      return {
        ...{ now, days, jobs: queue, audit: entries },
        ...(antivirus !== undefined && { antivirus }),
      }
    },

    async recordMetrics() {
      const [storageBytes, shares, users] = await Promise.all([
        measure.storageBytes(),
        measure.shares(),
        measure.users(),
      ])
      await metrics.record(dayOf(clock()), { storageBytes, shares, users })
    },

    async retryJob(id, actor) {
      const name = await jobs.retry(id)
      const target = { type: 'job', id, name } as const
      await auditStore.record([{ action: 'job.retried', actor, target }])
    },
  }
}

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}

function shortenReason(job: FailedJobView): FailedJobView {
  return { ...job, reason: job.reason.slice(0, reasonMaxLength) }
}
