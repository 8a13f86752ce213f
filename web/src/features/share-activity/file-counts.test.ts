import { expect, test } from 'vitest'
import { type FileCount, lastDownloadOf, type Sorting, sortFiles } from './file-counts.ts'

const file = (name: string, total: number, size: string, hour: number | null): FileCount => ({
  id: name,
  name,
  size,
  total,
  lastDownloadedAt: hour === null ? null : `2026-05-01T0${hour}:00:00.000Z`,
})
const files = [
  file('part 10.mov', 2, '900', 1),
  file('part 9.mov', 2, '1000', 3),
  file('notes.txt', 7, '5', 2),
  file('unread.txt', 0, '5', null),
]
const sorted = (by: Sorting['by'], descending: boolean) =>
  sortFiles(files, { by, descending }, 'en').map(({ name }) => name.split('.')[0])

test.each([
  ['total', true, ['notes', 'part 9', 'part 10', 'unread']],
  ['total', false, ['unread', 'part 9', 'part 10', 'notes']],
  ['name', false, ['notes', 'part 9', 'part 10', 'unread']],
  ['size', true, ['part 9', 'part 10', 'notes', 'unread']],
  ['lastDownloadedAt', true, ['part 9', 'notes', 'part 10', 'unread']],
] as const)('by %s, descending: %s', (by, descending, names) => {
  expect(sorted(by, descending)).toEqual(names)
})

test('the last download is that of a file or of the archive', () => {
  const archive = (lastDownloadedAt: string | null) => ({ total: 1, lastDownloadedAt })
  const lastOf = (at: string | null, of = files) =>
    lastDownloadOf({ archive: archive(at), files: of })
  expect(lastOf(null)).toEqual(new Date('2026-05-01T03:00:00.000Z'))
  expect(lastOf('2026-05-02T00:00:00.000Z')).toEqual(new Date('2026-05-02T00:00:00.000Z'))
  expect(lastOf(null, [])).toBeNull()
})
