import { expect, test } from 'vitest'
import { estimateSeconds } from './estimate.ts'
import { describeReport } from './report.ts'

test('files, bytes that are copied and bytes that are linked take their time', () => {
  expect(estimateSeconds({ files: 0, bytes: 0 }, 0)).toBe(0)
  expect(estimateSeconds({ files: 1000, bytes: 0 }, 0)).toBe(2)
  expect(estimateSeconds({ files: 0, bytes: 1e9 }, 1e9)).toBe(10)
  expect(estimateSeconds({ files: 0, bytes: 1e9 }, 0)).toBe(2)
})

test('a dry run tells in its table what it needs, is free and takes', () => {
  const estimate = { copiedBytes: 1_500_000, freeBytes: null, seconds: 61 }
  const counts = {
    settings: 1,
    accounts: 2,
    reverseShares: 3,
    shares: 4,
    files: 5,
    bytes: 1_500_000,
  }
  const lists = { conflicts: [], losses: ['one'] }
  const table = describeReport({
    ...{ product: 'Pingvin Share X', isDryRun: true, estimate },
    ...counts,
    ...lists,
  })
  expect(table.split('\n')).toEqual([
    'Pingvin Share X, what would come:',
    '  Settings        1',
    '  Accounts        2',
    '  Reverse shares  3',
    '  Shares          4',
    '  Files           5',
    '  Bytes           1,500,000',
    '  Bytes to copy   1,500,000',
    '  Bytes free      unknown',
    '  Time, about     2 min, at 500 files and 100 MB a second',
    'loss: one',
  ])
})
