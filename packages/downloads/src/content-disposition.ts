const fallbackName = 'download'
const longestName = 255

/**
 * `Content-Disposition` by RFC 6266. The name is hostile: only its base name is told, without
 * anything that could end the header, change its direction on screen or be decoded again.
 */
export function contentDisposition(kind: 'attachment' | 'inline', filename: string): string {
  const name = tellableName(filename)
  const ascii = name.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%]/g, '_')
  const plain = `${kind}; filename="${ascii}"`
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${encodeExtendedValue(name)}`
}

function tellableName(filename: string): string {
  // A lone surrogate cannot be encoded; the detour replaces it with U+FFFD.
  const wellFormed = new TextDecoder().decode(new TextEncoder().encode(filename))
  const base = wellFormed.split(/[/\\]/).at(-1) ?? ''
  const clean = base
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
  const name = shorten(clean)
  return /^\.*$/.test(name) ? fallbackName : name
}

/** Keeps the extension, which decides what opens the file. */
function shorten(name: string): string {
  const characters = Array.from(name)
  if (characters.length <= longestName) return name
  const extension = /\.[^.]{1,16}$/u.exec(name)?.[0] ?? ''
  return characters.slice(0, longestName - Array.from(extension).length).join('') + extension
}

/** RFC 8187 allows fewer characters unescaped than `encodeURIComponent` leaves. */
function encodeExtendedValue(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
