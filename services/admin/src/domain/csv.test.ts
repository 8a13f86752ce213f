import { expect, test } from 'vitest'
import { csvCell, csvRow } from './csv.ts'

test.each([
  '=HYPERLINK("http://evil.example")',
  '+1+1',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '  =1',
  '＝1+1',
  'a;=1+1',
  'a,=1+1',
  'a|@x',
  'a\n=1+1',
  'a"=1+1',
])('%j is a text wherever a spreadsheet ends its cells', (text) => {
  const cells = csvCell(text)
    .slice(1, -1)
    .split(/[;,|\t\r\n"]/)
  for (const cell of cells) expect(cell.trimStart()).not.toMatch(/^[=+\-@＝＋－＠]/)
})

test('leaves what is no formula as it is', () => {
  const text = 'Mozilla/5.0 (X11; Linux x86_64) a-b c=d e+f, user@example.org 2026-01-02'
  expect(csvCell(text)).toBe(`"${text}"`)
})

test('quotes so that the text of a cell never ends it', () => {
  expect(csvRow(['a "b", c', 'd\r\ne', ''])).toBe('"a ""b"", c","d\r\ne",""\r\n')
})
