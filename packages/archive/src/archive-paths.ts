import { decodeUtf8, encodeUtf8, utf8Bytes } from './utf8.ts'

/**
 * Names inside an archive. What the sender called a file is a label that another machine will
 * turn into a path, so here it becomes one that stays below the folder it is unpacked in, can be
 * created on every common system, and collides with no other entry, whatever the letter case.
 */

const longestSegmentBytes = 255
/** Far below the 65 535 bytes a ZIP entry can hold, and what most systems can create. */
const longestPathBytes = 4096

/** Not allowed in names on Windows, invisible, or able to disguise the extension. */
const unsafeCharacters =
  /[:*?"<>|\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
/** It has no UTF-8 form. Half of a pair is not matched, for `u` reads by characters. */
const loneSurrogate = /\p{Surrogate}/gu
const deviceName =
  /^(?:con|prn|aux|nul|com[\d\u00b9\u00b2\u00b3]|lpt[\d\u00b9\u00b2\u00b3]) *(?:\.|$)/i
/** Info-ZIP takes it for the version of a file on VMS and leaves it out. */
const vmsVersion = /;(?=\d*$)/
const [slash, dot, space] = [0x2f, 0x2e, 0x20]
const isUnsafeAscii = Uint8Array.from({ length: 0x7f }, (_, code) =>
  code < space || ':;*?"<>|\\'.includes(String.fromCharCode(code)) ? 1 : 0,
)
/** Beyond it a character may have a second, decomposed form. */
const lastWithoutMarks = 0xbf

/**
 * One path for each label, in the same order. The first of several equal labels keeps its name,
 * the others become `name (2).txt`, `name (3).txt` …; a file called like a folder gives way to it.
 */
export function archivePaths(labels: readonly string[]): string[] {
  const paths = labels.map((label) => (isPlain(label) ? label : cleanPath(label)))
  const folders = foldersOf(paths)
  const taken = new Set<string>()
  const losers: number[] = []
  for (let index = 0; index < paths.length; index += 1) {
    const key = foldCase(paths[index] ?? '')
    const takenBefore = taken.size
    if (!folders.has(key)) taken.add(key)
    if (taken.size === takenBefore) losers.push(index)
  }
  numberLosers(paths, losers, (key) => taken.has(key) || folders.has(key), taken)
  return paths
}

/** Only after every natural name is settled, or `a (2).txt` could lose its own name to `a.txt`. */
function numberLosers(
  paths: string[],
  losers: readonly number[],
  isTaken: (key: string) => boolean,
  taken: Set<string>,
) {
  const nextNumbers = new Map<string, number>()
  for (const index of losers) {
    const path = paths[index] ?? ''
    const key = foldCase(path)
    let number = nextNumbers.get(key) ?? 2
    let candidate = numberPath(path, number)
    while (isTaken(foldCase(candidate))) {
      number += 1
      candidate = numberPath(path, number)
    }
    nextNumbers.set(key, number + 1)
    taken.add(foldCase(candidate))
    paths[index] = candidate
  }
}

/** Whether `cleanPath` would leave it alone; one pass, since nearly every label passes it. */
function isPlain(label: string): boolean {
  let segmentStart = 0
  for (let index = 0; index <= label.length; index += 1) {
    const code = index === label.length ? slash : label.charCodeAt(index)
    if (code === slash) {
      if (!isPlainSegment(label, segmentStart, index)) return false
      segmentStart = index + 1
    } else if (code > 0x7e ? !isPlainBeyondAscii(code) : isUnsafeAscii[code] === 1) {
      return false
    }
  }
  return true
}

function isPlainSegment(label: string, start: number, end: number): boolean {
  const length = end - start
  // A third of the bytes, because one UTF-16 unit takes up to three in UTF-8.
  if (length === 0 || length * 3 > longestSegmentBytes) return false
  const last = label.charCodeAt(end - 1)
  if (last === dot || last === space) return false
  return !mayBeDevice(label, start, end) || !deviceName.test(label.slice(start, end))
}

/** Device names have three or four characters before the first dot, spaces before it or the end. */
function mayBeDevice(label: string, start: number, end: number): boolean {
  const third = start + 3
  if (end < third) return false
  return end <= third + 1 || endsDevice(label, third) || endsDevice(label, third + 1)
}

function endsDevice(label: string, index: number): boolean {
  const code = label.charCodeAt(index)
  return code === dot || code === space
}

function isPlainBeyondAscii(code: number): boolean {
  if (code < 0xa0) return false
  return code < 0x2000 || (code > 0x206f && code < 0xd800) || code > 0xdfff
}

function cleanPath(label: string): string {
  const segments = label
    .replace(loneSurrogate, '\ufffd')
    .split(/[/\\]/)
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
    .map(cleanSegment)
  const path = segments.join('/')
  if (utf8Bytes(path) <= longestPathBytes) return path === '' ? 'unnamed' : path
  return segments.at(-1) ?? 'unnamed'
}

function cleanSegment(segment: string): string {
  // Windows drops trailing dots and spaces, which would let two names become one.
  const name = segment
    .replace(unsafeCharacters, '_')
    .replace(/[. ]+$/, '')
    .replace(vmsVersion, '_')
  if (name === '') return '_'
  return shortenSegment(deviceName.test(name) ? `_${name}` : name, '')
}

/** Fits a name and a suffix before its extension into one segment. */
function shortenSegment(name: string, suffix: string): string {
  const point = name.lastIndexOf('.')
  const extension = point > 0 && name.length - point <= 32 ? name.slice(point) : ''
  const stem = name.slice(0, name.length - extension.length)
  const roomBytes = longestSegmentBytes - utf8Bytes(suffix + extension)
  if (utf8Bytes(stem) <= roomBytes) return stem + suffix + extension
  const bytes = encodeUtf8(stem)
  let end = roomBytes
  // Never cut inside a character: continuation bytes are 10xxxxxx.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  const shortened = decodeUtf8(bytes.subarray(0, end))
  // The cut may have uncovered a dot or a space at the end.
  return (
    (extension + suffix === '' ? shortened.replace(/[. ]+$/, '') : shortened) + suffix + extension
  )
}

function numberPath(path: string, number: number): string {
  const start = path.lastIndexOf('/') + 1
  return path.slice(0, start) + shortenSegment(path.slice(start), ` (${number})`)
}

/** Every folder the paths lie in, as comparison keys. */
function foldersOf(paths: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const folders = new Set<string>()
  for (const path of paths) {
    let end = path.lastIndexOf('/')
    while (end !== -1) {
      const folder = path.slice(0, end)
      if (seen.has(folder)) break
      seen.add(folder)
      folders.add(foldCase(folder))
      end = path.lastIndexOf('/', end - 1)
    }
  }
  return folders
}

/** Equal for names that a case-insensitive or normalising file system takes for one. */
function foldCase(path: string): string {
  for (let index = 0; index < path.length; index += 1) {
    // Upper case first: only there do ß and ss, ς and σ become one, as on a Mac's disk.
    if (path.charCodeAt(index) > lastWithoutMarks) {
      return path.normalize('NFD').toUpperCase().toLowerCase()
    }
  }
  return path.toLowerCase()
}
