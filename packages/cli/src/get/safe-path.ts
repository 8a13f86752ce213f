const unsafeCharacters = /[\u0000-\u001f\u007f]/g
const unsafeOnWindows = /[<>:"|?*\\]|[. ]+$/g
const devicesOfWindows = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * Where a file of a share is written, below a folder: senders choose names, so none leads out of
 * it, and none is hidden from whom it is listed to. Parts stay as they are where they do no harm.
 */
export function safePath(name: string, platform: NodeJS.Platform = process.platform): string {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  const safe = parts.map((part) => safePart(part, platform === 'win32'))
  return safe.length === 0 ? 'file' : safe.join('/')
}

function safePart(part: string, isWindows: boolean): string {
  const clean = part.replaceAll(unsafeCharacters, '_')
  if (clean === '..') return '__'
  if (!isWindows) return clean
  const plain = clean.replaceAll(unsafeOnWindows, '_')
  return devicesOfWindows.test(plain) ? `_${plain}` : plain
}

/** The paths of all files, each once: `a (2).txt` where a name is there before. */
export function distinctPaths(names: readonly string[], platform?: NodeJS.Platform): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const path = safePath(name, platform)
    const [, stem = '', ending = ''] = /^(.*?)((?:\.[^./]+)?)$/s.exec(path) ?? []
    let free = path
    // Some file systems do not tell upper case from lower.
    for (let copy = 2; taken.has(free.toLowerCase()); copy += 1) free = `${stem} (${copy})${ending}`
    taken.add(free.toLowerCase())
    return free
  })
}
