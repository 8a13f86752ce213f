/** RFC 4648 §6, in lower case: no 0, 1, 8 or 9 to mistake for letters. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const LETTERS = 20
const GROUP_LETTERS = 4

/** 100 random bits to be written down, as in `abcd-efgh-ijkl-mnop-qrst`. */
export function createRecoveryCode(): string {
  const random = crypto.getRandomValues(new Uint8Array(LETTERS))
  return group(Array.from(random, (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join(''))
}

/** The code as it was made, however it is typed; `null` where a text is none. */
export function readRecoveryCode(text: string): string | null {
  const letters = text.toLowerCase().replaceAll(/[\s-]/g, '')
  return /^[a-z2-7]{20}$/.test(letters) ? group(letters) : null
}

function group(letters: string): string {
  return (letters.match(new RegExp(`.{${GROUP_LETTERS}}`, 'g')) ?? []).join('-')
}
