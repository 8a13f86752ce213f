import { JSON_BODY_LIMIT_BYTES, MOST_ANNOUNCED_FILES, openEarlySchema } from '@floe/contracts'
import { expect, it } from 'vitest'
import { announcementOf } from './announcement.ts'
import type { FileState, FileStatus } from './upload-item.ts'

const row = (label: string, state: FileState = 'waiting'): FileStatus => ({
  ...{ key: label, label, sizeBytes: 10, uploadedBytes: 0, state },
  ...{ failure: null, bytesPerSecond: null, isEditable: false },
})

const announce = (rows: FileStatus[]) =>
  announcementOf({ fileCount: rows.length, sizeBytes: 10 * rows.length, rows })

it('names what has not arrived, folders included, and counts everything', () => {
  expect(announce([row('a', 'done'), row('trip/b', 'uploading'), row('c', 'failed')])).toEqual({
    fileCount: 3,
    size: 30,
    files: [
      { name: 'trip/b', size: 10 },
      { name: 'c', size: 10 },
    ],
  })
})

it.each([
  ['many files', 'a'],
  ['long names', 'é'.repeat(1000)],
  ['names that the API refuses', 'a'.repeat(2000)],
])('fits into one request with %s', (_what, name) => {
  const rows = Array.from({ length: 3000 }, (_, index) => row(`${index}${name}`))
  const announced = announce(rows)
  expect(openEarlySchema.safeParse({ announced }).success).toBe(true)
  expect(announced.files.length).toBeLessThanOrEqual(MOST_ANNOUNCED_FILES)
  expect(announced.fileCount).toBe(3000)
  expect(new TextEncoder().encode(JSON.stringify(announced)).length).toBeLessThan(
    JSON_BODY_LIMIT_BYTES * 0.9,
  )
})
