// @vitest-environment node
import { expect, it } from 'vitest'
import { isEditable, readText, withContent } from './text-file.ts'

function bytesOf(...parts: (string | number)[]): ArrayBuffer {
  const bytes = Buffer.concat(
    parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part))),
  )
  return new Uint8Array(bytes).buffer
}

it.each([
  ['notes.txt', '', 10, true],
  ['Plans/readme.md', '', 10, true],
  ['Dockerfile', '', 10, true],
  ['notes', '', 10, false],
  ['notes', 'text/plain', 10, true],
  ['module.ts', 'video/mp2t', 10, true],
  ['drawing.svg', 'image/svg+xml', 10, false],
  ['film.mov', '', 10, false],
  ['huge.log', 'text/plain', 1_000_001, false],
  ['large.log', '', 1_000_000, true],
])('%s (%j) of %i bytes can be edited: %s', (name, type, sizeBytes, expected) => {
  expect(isEditable({ name, type, sizeBytes })).toBe(expected)
})

it('reads UTF-8 and nothing else as a text', () => {
  expect(readText(bytesOf('Käse 🧀\n'))?.text).toBe('Käse 🧀\n')
  expect(readText(bytesOf())?.text).toBe('')
  expect(readText(bytesOf('K', 0xe4, 'se'))).toBeNull()
  expect(readText(bytesOf('a', 0, 'b'))).toBeNull()
})

it.each([
  ['as on Windows', 'one\r\ntwo\r\n', 'one\ntwo\n', 'one\r\nthree\r\n'],
  ['as elsewhere', 'one\ntwo\n', 'one\ntwo\n', 'one\nthree\n'],
  ['in both ways', 'one\r\ntwo\n', 'one\ntwo\n', 'one\nthree\n'],
  ['with a byte order mark', '\uFEFFone\r\n', 'one\n', '\uFEFFone\r\nthree\r\n'],
])('a file that ends lines %s keeps doing so', (_how, content, text, expected) => {
  const file = readText(bytesOf(content))
  expect(file?.text).toBe(text)
  expect(file?.toContent('one\nthree\n')).toBe(expected)
})

it('a file with another content keeps its name and folder, and is another file', async () => {
  const names = { name: 'a.txt', relativePath: 'Plans/a.txt' }
  const entry = withContent(names, 'Käse')
  expect(entry).toMatchObject({ ...names, sizeBytes: 5 })
  expect(await entry.file.text()).toBe('Käse')
  expect(entry.key).not.toBe(withContent(names, 'Butter').key)
})
