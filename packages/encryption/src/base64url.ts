/** RFC 4648 §5 without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** `null` where the text is not what `toBase64Url` makes of so many bytes. */
export function fromBase64Url(text: string, byteCount: number): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return null
  // Of a length that nothing encodes to, `atob` makes an error.
  if (text.length !== Math.ceil((byteCount * 4) / 3)) return null
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
  // Bits behind the last byte would be another text for the same bytes.
  return toBase64Url(bytes) === text ? bytes : null
}
