import { expect, test } from 'vitest'
import { readPrefixChecksum, writePrefixChecksum } from './prefix-checksum.ts'

test('a CRC-32 is written as the checksum extension of tus writes it, and read again', () => {
  // Of the text "123456789".
  expect(writePrefixChecksum(0xcbf43926)).toBe('crc32 y/Q5Jg==')
  for (const crc32 of [0, 1, 0xcbf43926, 0xffffffff]) {
    expect(readPrefixChecksum(writePrefixChecksum(crc32))).toBe(crc32)
  }
})

test('nothing else is read as a CRC-32', () => {
  for (const header of [null, undefined, '', 'crc32', 'crc32 y/Q5', 'sha1 y/Q5Jg==']) {
    expect(readPrefixChecksum(header)).toBeNull()
  }
})
