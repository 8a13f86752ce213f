import { describe, expect, test } from 'vitest'
import { parseRange } from './range.ts'

describe('parseRange', () => {
  test.each([
    ['bytes=0-0', { start: 0, end: 1 }],
    ['bytes=0-499', { start: 0, end: 500 }],
    ['bytes=500-', { start: 500, end: 1000 }],
    ['bytes=999-', { start: 999, end: 1000 }],
    ['bytes=-1', { start: 999, end: 1000 }],
    ['bytes=-5000', { start: 0, end: 1000 }],
    ['bytes=0-99999999999999999999999', { start: 0, end: 1000 }],
    ['BYTES = 1-2', { start: 1, end: 3 }],
  ])('obeys %s', (header, expected) => {
    expect(parseRange(header, 1000)).toEqual(expected)
  })

  test.each([
    [undefined],
    [''],
    ['bytes'],
    ['bytes='],
    ['bytes=-'],
    ['bytes=5-2'],
    ['bytes=a-b'],
    ['bytes=1.5-2'],
    ['bytes=--1'],
    ['bytes=0x1-2'],
    ['items=0-1'],
    ['bytes=0-1,5-6'],
  ])('ignores %s', (header) => {
    expect(parseRange(header, 1000)).toBeNull()
  })

  test.each([
    ['bytes=1000-', 1000],
    ['bytes=1000-2000', 1000],
    ['bytes=99999999999999999999-', 1000],
    ['bytes=-0', 1000],
    ['bytes=0-', 0],
    ['bytes=0-0', 0],
  ])('finds %s of %i bytes not satisfiable', (header, sizeBytes) => {
    expect(() => parseRange(header, sizeBytes)).toThrow(
      expect.objectContaining({ code: 'range_not_satisfiable' }),
    )
  })

  test('takes the end of nothing for the whole of it', () => {
    expect(parseRange('bytes=-5', 0)).toBeNull()
  })
})
