import { jobs } from '@floe/contracts'
import { describe, expect, it } from 'vitest'

import { assertOneConsumerEach } from './start-worker.ts'

const contracts = [jobs.expireShares, jobs.purgeTokens]

describe('consumers of jobs', () => {
  it('accepts exactly one for each job', () => {
    expect(() =>
      assertOneConsumerEach(
        contracts,
        contracts.map((job) => ({ job })),
      ),
    ).not.toThrow()
  })

  it('names every job without one, with two, and unknown to the contracts, all at once', () => {
    const twice = { job: jobs.expireShares }

    expect(() =>
      assertOneConsumerEach(contracts, [twice, twice, { job: jobs.expireUploads }]),
    ).toThrow(
      /purge-tokens has no consumer; expire-shares has more than one consumer; expire-uploads is not a known job/,
    )
  })
})
