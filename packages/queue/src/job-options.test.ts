import { describe, expect, it } from 'vitest'

import { backoffMs, callOptions } from './job-options.ts'
import { keyedJob, plainJob } from './testing/test-jobs.ts'

const payload = { shareUid: '7f8e2b44-9f65-4f0b-8a55-0f0c3c4d1f10' }

describe('options of a job', () => {
  it('doubles the delay between attempts up to an hour, or to what the contract says', () => {
    const job = { backoffMs: 1_000 }
    expect([1, 2, 3, 4].map((attempt) => backoffMs(job, attempt))).toEqual([
      1_000, 2_000, 4_000, 8_000,
    ])
    expect(backoffMs(job, 20)).toBe(3_600_000)
    const capped = { ...job, maxBackoffMs: 5_000 }
    expect([1, 3, 4, 1_440].map((attempt) => backoffMs(capped, attempt))).toEqual([
      1_000, 4_000, 5_000, 5_000,
    ])
  })

  it('never gives a key and an id together, which would drop equal work for good', () => {
    expect(callOptions(keyedJob, payload, 'outbox-1')).not.toHaveProperty('jobId')
    expect(callOptions(keyedJob, payload, 'outbox-1')).toHaveProperty(
      'deduplication.id',
      `keyed/${payload.shareUid}`,
    )
    expect(callOptions(plainJob, payload, 'outbox-1')).toHaveProperty('jobId', 'outbox-1')
  })
})
