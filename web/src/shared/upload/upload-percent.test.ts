import { describe, expect, it } from 'vitest'
import { quarterOf, wholePercent } from './upload-percent.ts'

describe('the percent of an upload', () => {
  it('is 100 only once the last byte is there', () => {
    expect(wholePercent({ uploadedBytes: 999_999, sizeBytes: 1_000_000 })).toBe(99)
    expect(wholePercent({ uploadedBytes: 1_000_000, sizeBytes: 1_000_000 })).toBe(100)
  })

  it('is a number for files without a byte', () => {
    expect(wholePercent({ uploadedBytes: 0, sizeBytes: 0 })).toBe(0)
  })

  it('is said aloud by whole quarters', () => {
    expect([0, 24, 25, 49, 50, 99, 100].map(quarterOf)).toEqual([0, 0, 25, 25, 50, 75, 100])
  })
})
