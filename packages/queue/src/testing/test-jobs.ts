import { type JobContract, jobs } from '@floe/contracts'

const { schema } = jobs.hashShareFiles

type ShareJob = JobContract<typeof schema>

/** Each call is a job of its own. */
export const plainJob: ShareJob = { name: 'plain', schema, attempts: 3, backoffMs: 10 }

/** Equal shares are equal work. */
export const keyedJob: ShareJob = { ...plainJob, name: 'keyed', key: ({ shareUid }) => shareUid }

export const keyedOnceJob: ShareJob = { ...keyedJob, name: 'keyed-once', attempts: 1 }

export const onceJob: ShareJob = { ...plainJob, name: 'once', attempts: 1 }

/** Without its last delay it would be tried again after a month. */
export const cappedJob: ShareJob = {
  ...plainJob,
  name: 'capped',
  backoffMs: 30 * 24 * 60 * 60 * 1_000,
  maxBackoffMs: 10,
}

/** Waits for its second attempt longer than any test. */
export const patientJob: ShareJob = { ...plainJob, name: 'patient', backoffMs: 60 * 60 * 1_000 }

export const slowJob: ShareJob = { ...plainJob, name: 'slow' }

const nothing = jobs.expireShares.schema

export const oftenJob: JobContract = {
  name: 'often',
  schema: nothing,
  attempts: 1,
  backoffMs: 10,
  everyMs: 400,
}

export const hourlyJob: JobContract = {
  ...oftenJob,
  name: 'hourly',
  everyMs: 3_600_000,
  atStart: true,
}
