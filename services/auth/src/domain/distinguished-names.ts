/**
 * One form for all spellings of a DN (RFC 4514) that directories take for the same: letters in any
 * case, spaces around separators, ways to escape, the order within a part of several values.
 * `null` for what is no DN.
 */
export function normaliseDn(dn: string): string | null {
  const parts = split(dn, ',').map(normalisePart)
  return parts.includes(null) ? null : parts.join(',')
}

/** Both are in the normal form. */
export function isBelow(dn: string, base: string): boolean {
  return dn === base || dn.endsWith(`,${base}`)
}

function normalisePart(part: string): string | null {
  const pairs = split(part, '+').map(normalisePair)
  return pairs.includes(null) ? null : pairs.toSorted().join('+')
}

function normalisePair(pair: string): string | null {
  const separator = pair.indexOf('=')
  const type = pair.slice(0, Math.max(separator, 0)).trim().toLowerCase()
  const raw = pair.slice(separator + 1)
  if (type === '') return null
  if (raw.trim().startsWith('#')) return `${type}=${raw.trim().toLowerCase()}`
  const value = unescape(raw)
  return value === null ? null : `${type}=${escape(fold(value))}`
}

/** Only where no backslash stands before the separator. */
function split(text: string, separator: string): string[] {
  const parts: string[] = []
  let part = ''
  for (const [token] of text.matchAll(/\\[^]|[^]/gu)) {
    if (token === separator) {
      parts.push(part)
      part = ''
    } else part += token
  }
  return [...parts, part]
}

/** `null` where that cannot be done without doubt: two names must never become one. */
function unescape(raw: string): string | null {
  const bytes: Buffer[] = []
  for (const [token, hex] of raw.matchAll(/\\([0-9a-f]{2})|\\[ "#+,;<=>\\]|[^\\]+|\\/giu)) {
    if (token === '\\') return null
    if (hex !== undefined) bytes.push(Buffer.from(hex, 'hex'))
    else bytes.push(Buffer.from(token.startsWith('\\') ? token.slice(1) : token))
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(bytes))
  } catch {
    return null
  }
}

function fold(value: string): string {
  return value.normalize('NFC').toLowerCase().normalize('NFC').replace(/\s+/g, ' ').trim()
}

function escape(value: string): string {
  return value.replace(/[,+"\\<>;=#]|\p{Cc}/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join(''),
  )
}
