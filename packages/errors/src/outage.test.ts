import { expect, test } from 'vitest'
import { isOutage } from './outage.ts'

const withCode = (code: string) => Object.assign(new Error('failed'), { code })

test.each([
  ['a refused connection', withCode('ECONNREFUSED')],
  ['a database that stops', withCode('57P01')],
  ['a connection exception of PostgreSQL', withCode('08006')],
  ['a full disk of PostgreSQL', withCode('53100')],
  ['too many connections to PostgreSQL', withCode('53300')],
  ['a file system that has turned read-only', withCode('EROFS')],
  ['a connection that was lost', new Error('Connection terminated unexpectedly')],
  [
    'one that was lost amid a transaction',
    new Error('BEGIN; - Connection terminated unexpectedly'),
  ],
  [
    'one that was lost before',
    new Error('Client has encountered a connection error and is not queryable'),
  ],
  ['a host whose addresses all refuse', new AggregateError([withCode('ECONNREFUSED')])],
])('%s is an outage', (_what, error) => {
  expect(isOutage(error)).toBe(true)
})

test.each([
  ['a violated constraint', withCode('23505')],
  ['a full disk', withCode('ENOSPC')],
  ['a mistake of ours', new TypeError('x is not a function')],
  ['nothing', undefined],
])('%s is none', (_what, error) => {
  expect(isOutage(error)).toBe(false)
})
