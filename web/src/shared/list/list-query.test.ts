import { expect, test } from 'vitest'
import { readListState, toListQuery, toSearch } from './list-query.ts'

const options = {
  sorts: ['id', 'views'],
  start: { sort: 'id', order: 'asc' },
} as const
const read = (address: string) => readListState(new URLSearchParams(address), options)

test('an address without anything is the first page as lists begin', () => {
  expect(read('')).toEqual({ search: '', sort: 'id', order: 'asc', page: 1 })
})

test('an address tells search, order and page', () => {
  const state = read('search=fjord&sort=views&order=desc&page=3')
  expect(state).toEqual({ search: 'fjord', sort: 'views', order: 'desc', page: 3 })
  expect(toSearch(toListQuery(state))).toBe(
    'search=fjord&sort=views&order=desc&limit=50&offset=100',
  )
})

test.each([
  'page=0',
  'page=-1',
  'page=x',
  'page=1.5',
  'sort=size',
  'order=desc',
  'sort=id&order=up',
])('what makes no sense in an address is left out: %s', (address) => {
  expect(read(address)).toEqual(read(''))
})

test('a search for nothing is none', () => {
  expect(toListQuery(read('search=%20'))).not.toHaveProperty('search')
})
