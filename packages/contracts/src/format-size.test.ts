import { expect, it } from 'vitest'
import { formatSize } from './format-size.ts'

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 kB'],
  [1550, '1.6 kB'],
  [999_949, '999.9 kB'],
  [999_950, '1 MB'],
  [104_857_600, '104.9 MB'],
  [5_000_000_000_000, '5 TB'],
])('writes %d bytes as %s', (bytes, text) => {
  expect(formatSize(bytes, 'en').replace('\u00a0', ' ')).toBe(text)
})

it.each([
  ['fr', '1,5 Mo'],
  ['ru', '1,5 МБ'],
  ['fi', '1,5 Mt'],
  ['ja', '1.5 MB'],
])('writes a size in %s as %s', (locale, text) => {
  expect(formatSize(1_500_000, locale).replace('\u00a0', ' ')).toBe(text)
})
