const encoder = new TextEncoder()
/** A mark of byte order is a character of a name like any other. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** A lone surrogate, which has no UTF-8 form, becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text)
}

export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

/** How many bytes `encodeUtf8` makes of text without lone surrogates, which it need not make. */
export function utf8Bytes(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code < 0x80) continue
    // Each half of a surrogate pair stands for two of its four bytes.
    bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2
  }
  return bytes
}
