import { z } from 'zod'
import { scanReportSchema } from './antivirus.ts'
import { auditEntrySchema } from './audit.ts'

/** How many days the overview looks back. */
export const OVERVIEW_DAYS = 30

/** One job of the queue that is at it again no more; nothing of what it was to work on. */
export const failedJobSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    reason: z.string(),
    attempts: z.number(),
    failedAt: z.iso.datetime(),
  })
  .meta({ id: 'FailedJob' })
export type FailedJobView = z.infer<typeof failedJobSchema>

export const jobCountsSchema = z.object({
  name: z.string(),
  waiting: z.number(),
  active: z.number(),
  /** Waiting for its time: the next run of a schedule, or the next attempt. */
  delayed: z.number(),
  failed: z.number(),
})
export type JobCountsView = z.infer<typeof jobCountsSchema>

const dailyMetricsSchema = z.object({
  /** Bytes of the files that shares hold. */
  storageBytes: z.number(),
  shares: z.number(),
  users: z.number(),
})
export type DailyMetrics = z.infer<typeof dailyMetricsSchema>

/** A part is `null` while what knows it cannot be reached. */
export const overviewSchema = z
  .object({
    now: z.object({
      storageBytes: z.number().nullable(),
      shares: z.number().nullable(),
      users: z.number().nullable(),
    }),
    /** Days in UTC on which somebody looked, the oldest first, as they ended. */
    days: z.array(dailyMetricsSchema.extend({ day: z.iso.date() })),
    jobs: z
      .object({ counts: z.array(jobCountsSchema), failed: z.array(failedJobSchema) })
      .nullable(),
    /** Absent where nothing is scanned. */
    antivirus: scanReportSchema.nullable().optional(),
    audit: z.array(auditEntrySchema),
  })
  .meta({ id: 'Overview' })
export type Overview = z.infer<typeof overviewSchema>

/** As the queue makes them. */
export const jobIdSchema = z.string().regex(/^[A-Za-z0-9:_-]{1,200}$/)
