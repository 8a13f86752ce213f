/**
 * Names inside an archive. What the sender called a file is a label that another machine will
 * turn into a path, so here it becomes one that stays below the folder it is unpacked in, can be
 * created on every common system, and collides with no other entry, whatever the letter case.
 */

const longestSegmentBytes = 255
/** Far below the 65 535 bytes a ZIP entry can hold, and what most systems can create. */
const longestPathBytes = 4096

/** Anything here sends a path the slow way; the many plain ones are left alone. */
const needsCare =
  /[\\:*?"<>|\u0000-\u001f\u007f-\uffff]|^\/|\/$|\/\/|[. ](?:\/|$)|(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|\/|$)/i
/** Not allowed in names on Windows, invisible, or able to disguise the extension. */
const unsafeCharacters =
  /[:*?"<>|\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
const deviceName =
  /^(?:con|prn|aux|nul|com[\d\u00b9\u00b2\u00b3]|lpt[\d\u00b9\u00b2\u00b3])(?:\.|$)/i
const ascii = /^[\u0020-\u007e]*$/

/**
 * One path for each label, in the same order. The first of several equal labels keeps its name,
 * the others become `name (2).txt`, `name (3).txt` …; a file called like a folder gives way to it.
 */
export function archivePaths(labels: readonly string[]): string[] {
  const paths = labels.map((label) => (isPlain(label) ? label : cleanPath(label)))
  const folders = foldersOf(paths)
  const taken = new Set<string>()
  const losers: number[] = []
  for (const [index, path] of paths.entries()) {
    const key = foldCase(path)
    if (taken.has(key) || folders.has(key)) losers.push(index)
    else taken.add(key)
  }
  // Only after every natural name is settled, or `a (2).txt` could lose its own name to `a.txt`.
  const nextNumbers = new Map<string, number>()
  for (const index of losers) {
    const path = paths[index] ?? ''
    const key = foldCase(path)
    let number = nextNumbers.get(key) ?? 2
    let candidate = numberPath(path, number)
    while (taken.has(foldCase(candidate)) || folders.has(foldCase(candidate))) {
      number += 1
      candidate = numberPath(path, number)
    }
    nextNumbers.set(key, number + 1)
    taken.add(foldCase(candidate))
    paths[index] = candidate
  }
  return paths
}

function isPlain(label: string): boolean {
  return label !== '' && label.length <= longestSegmentBytes && !needsCare.test(label)
}

function cleanPath(label: string): string {
  // A lone surrogate has no UTF-8 form; the detour replaces it with U+FFFD.
  const segments = Buffer.from(label, 'utf8')
    .toString('utf8')
    .split(/[/\\]/)
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
    .map(cleanSegment)
  const path = segments.join('/')
  if (Buffer.byteLength(path) <= longestPathBytes) return path === '' ? 'unnamed' : path
  return segments.at(-1) ?? 'unnamed'
}

function cleanSegment(segment: string): string {
  // Windows drops trailing dots and spaces, which would let two names become one.
  const name = segment.replace(unsafeCharacters, '_').replace(/[. ]+$/, '')
  if (name === '') return '_'
  return shortenSegment(deviceName.test(name) ? `_${name}` : name, '')
}

/** Fits a name and a suffix before its extension into one segment. */
function shortenSegment(name: string, suffix: string): string {
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && name.length - dot <= 32 ? name.slice(dot) : ''
  const stem = name.slice(0, name.length - extension.length)
  const roomBytes = longestSegmentBytes - Buffer.byteLength(suffix + extension)
  if (Buffer.byteLength(stem) <= roomBytes) return stem + suffix + extension
  const bytes = Buffer.from(stem)
  let end = roomBytes
  // Never cut inside a character: continuation bytes are 10xxxxxx.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  const shortened = bytes.toString('utf8', 0, end)
  // The cut may have uncovered a dot or a space at the end.
  return (
    (extension + suffix === '' ? shortened.replace(/[. ]+$/, '') : shortened) + suffix + extension
  )
}

function numberPath(path: string, number: number): string {
  const slash = path.lastIndexOf('/')
  return path.slice(0, slash + 1) + shortenSegment(path.slice(slash + 1), ` (${number})`)
}

/** Every folder the paths lie in, as comparison keys. */
function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set<string>()
  let lastFolder = ''
  for (const path of paths) {
    let slash = path.lastIndexOf('/')
    if (slash === -1) continue
    // Files of one folder usually follow one another.
    const folder = path.slice(0, slash)
    if (folder === lastFolder) continue
    lastFolder = folder
    while (slash !== -1) {
      const key = foldCase(path.slice(0, slash))
      if (folders.has(key)) break
      folders.add(key)
      slash = path.lastIndexOf('/', slash - 1)
    }
  }
  return folders
}

/** Equal for names that a case-insensitive or normalising file system takes for one. */
function foldCase(path: string): string {
  return ascii.test(path) ? path.toLowerCase() : path.normalize('NFC').toUpperCase().toLowerCase()
}
