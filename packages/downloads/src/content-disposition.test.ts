import { describe, expect, test } from 'vitest'
import { contentDisposition } from './content-disposition.ts'

describe('contentDisposition', () => {
  test.each([
    ['report.pdf', 'attachment; filename="report.pdf"'],
    ['two words.txt', 'attachment; filename="two words.txt"'],
    ['naïve.txt', `attachment; filename="na_ve.txt"; filename*=UTF-8''na%C3%AFve.txt`],
    ['😀.png', `attachment; filename="_.png"; filename*=UTF-8''%F0%9F%98%80.png`],
    ['a"b\\c', 'attachment; filename="c"'],
    ['a"b', `attachment; filename="a_b"; filename*=UTF-8''a%22b`],
    ['100%41.txt', `attachment; filename="100_41.txt"; filename*=UTF-8''100%2541.txt`],
    ["it's (1)*é", `attachment; filename="it's (1)*_"; filename*=UTF-8''it%27s%20%281%29%2A%C3%A9`],
    ['../../etc/passwd', 'attachment; filename="passwd"'],
    ['folder/', 'attachment; filename="download"'],
    ['..', 'attachment; filename="download"'],
    ['', 'attachment; filename="download"'],
    ['gpj.\u202eexe', 'attachment; filename="gpj.exe"'],
  ])('tells %j as %s', (filename, expected) => {
    expect(contentDisposition('attachment', filename)).toBe(expected)
  })

  test('can neither end the header nor carry a control character', () => {
    const value = contentDisposition('inline', 'a\r\nSet-Cookie: x=1\0\x7f\x85.txt')
    expect(value).toBe('inline; filename="aSet-Cookie: x=1.txt"')
  })

  test('survives a lone surrogate', () => {
    expect(contentDisposition('inline', '\ud83d.txt')).toContain('%EF%BF%BD.txt')
  })

  test('shortens very long names and keeps the extension', () => {
    const value = contentDisposition('inline', `${'x'.repeat(5000)}.jpeg`)
    expect(value).toBe(`inline; filename="${'x'.repeat(250)}.jpeg"`)
  })
})
