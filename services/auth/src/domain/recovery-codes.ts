import { createHash, randomBytes } from 'node:crypto'

const CODE_COUNT = 10
const CODE_SIZE_BYTES = 10
/** RFC 4648 §6, in lower case: no 0, 1, 8 or 9 to mistake for letters. */
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** Ten codes of 80 random bits, as they are shown: `abcd-efgh-ijkl-mnop`. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: CODE_COUNT }, () => {
    const code = encodeBase32(randomBytes(CODE_SIZE_BYTES))
    return (code.match(/.{4}/g) ?? []).join('-')
  })
}

/** SHA-256 of what was typed, with or without hyphens, in any case; `null` if it is no code. */
export function hashRecoveryCode(typed: string): Buffer | null {
  const code = typed.replace(/[\s-]/g, '').toLowerCase()
  if (!/^[a-z2-7]{16}$/.test(code)) return null
  return createHash('sha256').update(code).digest()
}

/** For a multiple of five bytes, which needs no padding. */
function encodeBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((group) => alphabet[Number.parseInt(group, 2)]).join('')
}
