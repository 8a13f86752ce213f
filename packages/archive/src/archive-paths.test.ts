import { randomInt } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { archivePaths } from './archive-paths.ts'

const pathOf = (label: string) => archivePaths([label])[0]

describe('archivePaths', () => {
  test('leaves ordinary names and folders as they are', () => {
    const labels = [
      'report.pdf',
      'photos/2026/IMG 1.jpg',
      'Ünïcödé/文件.txt',
      'مستند.pdf',
      '😀.png',
    ]
    expect(archivePaths(labels)).toEqual(labels)
  })

  test.each([
    ['/etc/passwd', 'etc/passwd'],
    ['../../../etc/passwd', 'etc/passwd'],
    ['a/../b', 'a/b'],
    ['a/./b//c', 'a/b/c'],
    ['..\\..\\windows\\system32', 'windows/system32'],
    ['C:\\Users\\me\\x.txt', 'C_/Users/me/x.txt'],
    ['\\\\server\\share\\x', 'server/share/x'],
    ['folder/', 'folder'],
    ['', 'unnamed'],
    ['/', 'unnamed'],
    ['..', 'unnamed'],
    ['...', '_'],
    [' . ', '_'],
    ['name. . ', 'name'],
    ['dir. /file', 'dir/file'],
    ['x.txt:stream', 'x.txt_stream'],
    ['x.txt;12', 'x.txt_12'],
    ['a;b/c;', 'a;b/c_'],
    ['what?*<>|".txt', 'what______.txt'],
    ['a\0b\nc\x7f.txt', 'a_b_c_.txt'],
    ['gpj.\u202eexe', 'gpj._exe'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['NUL .txt', '_NUL .txt'],
    ['com1  .tar.gz', '_com1  .tar.gz'],
    ['con man.txt', 'con man.txt'],
    ['a/Com1/b', 'a/_Com1/b'],
    ['lpt9 ', '_lpt9'],
    ['console.txt', 'console.txt'],
    ['\ud800.txt', '\ufffd.txt'],
  ])('makes %j into %j', (label, expected) => {
    expect(pathOf(label)).toBe(expected)
  })

  test('shortens segments to 255 bytes between characters and keeps the extension', () => {
    const path = pathOf(`${'é'.repeat(200)}.tar`) ?? ''
    expect(Buffer.byteLength(path)).toBeLessThanOrEqual(255)
    expect(path).toMatch(/^é+\.tar$/)
    expect(Buffer.byteLength(pathOf('x'.repeat(300)) ?? '')).toBe(255)
    // A mark of byte order is three of them, and stays.
    expect(pathOf(`\ufeff${'x'.repeat(300)}`)).toBe(`\ufeff${'x'.repeat(252)}`)
  })

  test('numbers equal names, whatever their case or their Unicode form', () => {
    expect(archivePaths(['a.txt', 'A.TXT', 'a.txt', 'd/a.txt'])).toEqual([
      'a.txt',
      'A (2).TXT',
      'a (3).txt',
      'd/a.txt',
    ])
    const [composed, decomposed] = archivePaths(['\u00e9', 'e\u0301'])
    expect([composed, decomposed]).toEqual(['\u00e9', 'e\u0301 (2)'])
    expect(archivePaths(['Straße', 'STRASSE'])).toEqual(['Straße', 'STRASSE (2)'])
  })

  test('never takes the natural name of another file for a number', () => {
    expect(archivePaths(['a.txt', 'a.txt', 'a (2).txt'])).toEqual([
      'a.txt',
      'a (3).txt',
      'a (2).txt',
    ])
  })

  test('lets a file called like a folder give way, in any order and case', () => {
    expect(archivePaths(['data', 'Data/x', 'data/y/z', 'DATA/Y'])).toEqual([
      'data (2)',
      'Data/x',
      'data/y/z',
      'DATA/Y (2)',
    ])
  })

  test('keeps numbered names within 255 bytes', () => {
    const long = `${'x'.repeat(251)}.txt`
    const paths = archivePaths([long, long])
    expect(paths[0]).toBe(long)
    expect(paths[1]).toBe(`${'x'.repeat(247)} (2).txt`)
  })

  test('numbers thousands of equal names without trying each number again', () => {
    const paths = archivePaths(Array.from({ length: 20_000 }, () => 'same.txt'))
    expect(new Set(paths).size).toBe(20_000)
    expect(paths.at(-1)).toBe('same (20000).txt')
  })

  test('gives each of any labels its own safe path, the same every time', () => {
    const alphabet = ['a', 'A', 'b', '/', '\\', '.', '..', ' ', ':', 'é', 'É', 'con', '\0', '(2)']
    for (let round = 0; round < 300; round += 1) {
      const labels = Array.from({ length: 60 }, () =>
        Array.from({ length: randomInt(0, 6) }, () => alphabet[randomInt(alphabet.length)]).join(
          '',
        ),
      )
      const paths = archivePaths(labels)
      expect(archivePaths(labels)).toEqual(paths)
      const folded = paths.map((path) => path.normalize('NFC').toLowerCase())
      const files = new Set(folded)
      expect(files.size).toBe(labels.length)
      for (const path of folded) {
        const segments = path.split('/')
        for (const segment of segments) {
          expect(segment).toMatch(/^(?!\.{1,2}$)[^\\:\0]+$/)
          expect(segment).not.toMatch(/[. ]$/)
        }
        for (let depth = 1; depth < segments.length; depth += 1) {
          expect(files.has(segments.slice(0, depth).join('/'))).toBe(false)
        }
      }
    }
  })
})
