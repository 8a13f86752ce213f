/** Ends lines, or reverses what stands beside it, so that `fdp.exe` reads as `exe.pdf`. */
const deceptive = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu
const blank = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u

/**
 * A file's name as people may see it: it reads in the order it is stored in, on one line, and is
 * never empty. Control characters become their pictures, what has none becomes U+FFFD.
 */
export function visibleName(name: string): string {
  const shown = name.replace(deceptive, toPicture)
  return blank.test(shown) ? '\u2423'.repeat(Math.max(1, shown.length)) : shown
}

function toPicture(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}
