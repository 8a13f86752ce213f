import { describe, expect, it } from 'vitest'
import { withNeighbours } from './row-indexes.ts'

const count = 100

describe('the rows around a focused one', () => {
  it('stay where the keyboard finds them, in order', () => {
    expect(withNeighbours([40, 41, 42], 7, { count })).toEqual([6, 7, 8, 40, 41, 42])
    expect(withNeighbours([40, 41, 42], 42, { count })).toEqual([40, 41, 42, 43])
  })

  it('end where the list does', () => {
    expect(withNeighbours([40], 0, { count })).toEqual([0, 1, 40])
    expect(withNeighbours([40], 99, { count })).toEqual([40, 98, 99])
  })

  it('are none without a focused row', () => {
    expect(withNeighbours([40, 41], -1, { count })).toEqual([40, 41])
  })
})
