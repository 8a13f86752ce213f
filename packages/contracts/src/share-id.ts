const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** A link that cannot be guessed. Letters that look alike are left out for people who type it. */
export function generateShareId(length: number): string {
  const limit = 256 - (256 % alphabet.length)
  let id = ''
  while (id.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2))) {
      // Bytes past the last full round would make the first letters likelier.
      if (byte < limit && id.length < length) id += alphabet.charAt(byte % alphabet.length)
    }
  }
  return id
}
