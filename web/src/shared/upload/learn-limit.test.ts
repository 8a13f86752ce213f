import { ERROR_CODE_HEADER } from '@floe/contracts'
import { expect, it } from 'vitest'
import { learnLimit, type LimitedOptions } from './learn-limit.ts'
import { createRememberedLimit } from './request-limit.ts'

interface Failure {
  /** Absent where the connection was lost. */
  status?: number
  code?: string
  attempt?: number
  isOnline?: boolean
}

function beginUpload(sizeBytes: number) {
  const storage = { getItem: () => null, setItem: () => undefined }
  const limit = createRememberedLimit({ storage, now: () => 0 })
  const options: LimitedOptions = { chunkSize: Infinity, uploadDataDuringCreation: true }
  const fail = ({ status, code, attempt = 0, isOnline = true }: Failure) => {
    const getHeader = (name: string) => (name === ERROR_CODE_HEADER ? code : undefined)
    const originalResponse = status === undefined ? null : { getStatus: () => status, getHeader }
    const error = { originalResponse }
    return learnLimit({ limit, options, error, attempt, bytesLeft: sizeBytes, isOnline })
  }
  return { options, fail }
}

it('halves requests that a proxy refuses, until 64 kB are refused', () => {
  const { options, fail } = beginUpload(300_000_000)
  expect(fail({ status: 413 })).toBe(true)
  expect(options).toMatchObject({ chunkSize: 100_000_000, uploadDataDuringCreation: false })
  expect(fail({ status: 413, attempt: 1 })).toBe(true)
  expect(options.chunkSize).toBe(50_000_000)
  let attempt = 2
  while (fail({ status: 413, attempt }) === true) attempt += 1
  expect(options.chunkSize).toBe(64_000)
})

it('leaves the size as it is after a refusal by Floe, or any other status', () => {
  const { options, fail } = beginUpload(300_000_000)
  expect(fail({ status: 413, code: 'share_too_large' })).toBeNull()
  expect(fail({ status: 502, attempt: 5 })).toBeNull()
  expect(options.chunkSize).toBe(Infinity)
})

it('halves requests whose connection is lost twice at one place, unless the browser is offline', () => {
  const { options, fail } = beginUpload(300_000_000)
  expect(fail({})).toBeNull()
  expect(fail({ attempt: 1, isOnline: false })).toBeNull()
  expect(options.chunkSize).toBe(Infinity)
  expect(fail({ attempt: 1 })).toBeNull()
  expect(options.chunkSize).toBe(100_000_000)
})

it('goes on at once with smaller requests, and waits before the same again', () => {
  const { options, fail } = beginUpload(300_000_000)
  const delayBefore = (failure: Failure) => {
    fail(failure)
    return options.retryDelays?.[failure.attempt ?? 0]
  }
  expect([0, 1, 2, 8].map((attempt) => delayBefore({ status: 413, attempt }))).toEqual([0, 0, 0, 0])
  expect([0, 1, 2, 8].map((attempt) => delayBefore({ status: 502, attempt }))).toEqual([
    0, 1000, 3000, 10_000,
  ])
  expect(delayBefore({ attempt: 3 })).toBe(5000)
})
