import { describe, expect, test } from 'vitest'
import { describeDifference } from './describe-difference.ts'

const key = '0123456789abcdef0123456789abcdef'
const object = {
  key,
  owner: 'file',
  shareUid: 'share-uid',
  fileId: 'file-id',
  name: 'a.txt',
  sizeBytes: 10,
  isExact: true,
  mayBeMissing: false,
  crc32: 0,
  sha256: null,
  inflated: null,
} as const
const named = `object ${key}, file "a.txt" (file-id) of share share-uid`

describe('a difference is one line that names what differs', () => {
  test.each([
    [{ kind: 'object_missing', object }, `missing: ${named}`],
    [{ kind: 'object_size', object, storedBytes: 9 }, `size: ${named} has 9 bytes, not 10`],
    [
      { kind: 'object_size', object: { ...object, isExact: false }, storedBytes: 9 },
      `size: ${named} has 9 bytes, not at least 10`,
    ],
    [
      { kind: 'object_altered', object },
      `altered: ${named} does not contain the bytes that were received`,
    ],
    [
      { kind: 'miscounted', counter: 'user', id: 'user-id', countedBytes: 1, actualBytes: 2 },
      'miscounted: user user-id counts 1 bytes, not 2',
    ],
    [
      { kind: 'miscounted', counter: 'instance', id: null, countedBytes: 1, actualBytes: 2 },
      'miscounted: this instance counts 1 bytes, not 2',
    ],
    [
      { kind: 'object_unknown', key, sizeBytes: 7 },
      `unknown: object ${key} of 7 bytes belongs to nothing`,
    ],
    [
      { kind: 'share_gone', shareUid: 'share-uid', objectCount: 3 },
      'share gone: 3 objects are left of share share-uid',
    ],
    [
      { kind: 'files_gone', shareUid: 'share-uid', shareId: 'holiday' },
      'files gone: share "holiday" (share-uid) has no file',
    ],
  ] as const)('%j', (difference, line) => {
    expect(describeDifference(difference)).toBe(line)
  })

  test('also where a name would end the line or turn it round', () => {
    const name = 'a"\n\u001b[31m\u0085\u2028\u202egpj.exe'
    const line = describeDifference({ kind: 'object_missing', object: { ...object, name } })
    expect(line).toContain('"a\\"\\n\\u001b[31m\\u0085\\u2028\\u202egpj.exe"')
    expect(line).toMatch(/^[\x20-\x7e]+$/)
  })
})
