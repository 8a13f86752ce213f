import { describe, expect, it } from 'vitest'
import { sampleOwnShare } from '../../testing/samples.ts'
import { arrangeShares, type ShareSort } from './arrange-shares.ts'

const shares = [
  sampleOwnShare({
    ...{ id: 'b2', name: 'Photos 10', description: null, views: 3, size: 5 },
    ...{ createdAt: '2026-01-02T00:00:00.000Z', expiration: '2031-01-01T00:00:00.000Z' },
  }),
  sampleOwnShare({
    ...{ id: 'a1', name: 'photos 9', description: 'Of the Fjord', views: 20, size: 1 },
    ...{ createdAt: '2026-01-03T00:00:00.000Z', expiration: new Date(0).toISOString() },
  }),
  sampleOwnShare({
    ...{ id: 'c3', name: null, description: null, views: 0, size: 9 },
    ...{ createdAt: '2026-01-01T00:00:00.000Z', expiration: '2030-01-01T00:00:00.000Z' },
  }),
]
const idsOf = (search: string, sort: ShareSort = 'id', order: 'asc' | 'desc' = 'asc') =>
  arrangeShares(shares, { search, sort, order }, 'en').map(({ id }) => id)

describe('own shares', () => {
  it.each([
    ['', ['a1', 'b2', 'c3']],
    ['PHOTOS', ['a1', 'b2']],
    [' fjord ', ['a1']],
    ['C3', ['c3']],
    ['nothing', []],
  ])('are found by %j', (search, ids) => expect(idsOf(search)).toEqual(ids))

  it.each([
    ['createdAt', ['c3', 'b2', 'a1']],
    ['name', ['c3', 'a1', 'b2']],
    ['views', ['c3', 'b2', 'a1']],
    ['expiration', ['c3', 'b2', 'a1']],
    ['size', ['a1', 'b2', 'c3']],
  ] as const)('are sorted by %s, in either order', (sort, ids) => {
    expect(idsOf('', sort)).toEqual(ids)
    expect(idsOf('', sort, 'desc')).toEqual(ids.toReversed())
  })
})
