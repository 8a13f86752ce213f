/**
 * CRC-32 of a concatenation from the CRC-32s of its pieces, without their bytes. Polynomials over
 * GF(2) modulo the CRC's own, bits reflected, after zlib's `crc32_combine`.
 */

const polynomial = 0xedb88320
/** x^0 in the reflected order. */
const one = 0x80000000

/** x^(2^n) for n = 0 … 31; the exponent's powers repeat with period 2^32 - 1, hence 32 entries. */
const powersOfX = makePowers()

/** @returns CRC-32 (unsigned) of A followed by B, which is `lengthB` bytes long. */
export function combineCrc32(crcA: number, crcB: number, lengthB: number): number {
  return (multiply(raiseX(lengthB), crcA) ^ crcB) >>> 0
}

function makePowers(): Uint32Array {
  const powers = new Uint32Array(32)
  let power = one >>> 1
  for (let n = 0; n < 32; n += 1) {
    powers[n] = power
    power = multiply(power, power)
  }
  return powers
}

/** a · b modulo the CRC polynomial. */
function multiply(a: number, b: number): number {
  let product = 0
  let shifted = b
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= shifted
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ polynomial
  }
  return product >>> 0
}

/** x^(8 · bytes); plain division because a length may have more than 32 bits. */
function raiseX(bytes: number): number {
  let power = one
  let rest = bytes
  for (let n = 3; rest > 0; n += 1) {
    if (rest % 2 === 1) power = multiply(powersOfX[n & 31] ?? one, power)
    rest = Math.floor(rest / 2)
  }
  return power >>> 0
}
