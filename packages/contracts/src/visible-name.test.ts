import { describe, expect, test } from 'vitest'
import { visibleName } from './visible-name.ts'

describe('a name that people see', () => {
  test.each(['report.pdf', 'Ünïcödé 文件.txt', 'مستند.pdf', '👩‍👩‍👧.png', 'a  b', "it's <b>.txt"])(
    'stays as it is when nothing in it deceives: %s',
    (name) => {
      expect(visibleName(name)).toBe(name)
    },
  )

  test.each([
    ['invoice\u202efdp.exe', 'invoice\ufffdfdp.exe'],
    ['a\u2067b\u2069', 'a\ufffdb\ufffd'],
    ['Icon\r', 'Icon\u240d'],
    ['two\nlines', 'two\u240alines'],
    ['\u001b[31m', '\u241b[31m'],
    ['\u007f\u0085', '\u2421\ufffd'],
    [' ', '\u2423'],
    ['\u200b\u3000', '\u2423\u2423'],
    ['', '\u2423'],
  ])('shows %j as %j', (name, shown) => {
    expect(visibleName(name)).toBe(shown)
  })

  test('reads in order, on one line, and is never blank, whatever is in it', () => {
    const shown = Array.from({ length: 0x10000 }, (_, code) =>
      visibleName(String.fromCharCode(code)),
    )
    const inert = /^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+$/u
    expect(shown.filter((name) => !inert.test(name))).toEqual([])
    const blank = /^[\s\p{Default_Ignorable_Code_Point}]*$/u
    expect(shown.filter((name) => blank.test(name))).toEqual([])
  })
})
