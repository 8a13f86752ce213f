/**
 * Where the parts of an object lie. A multipart upload has at most 10 000 parts (S3's limit), so
 * they are as large as a known size needs; of an unknown size every further thousand is twice as
 * large, which is enough for 8 TiB. A part's place follows from the plan and its number alone.
 */

const mebibyte = 1024 * 1024
export const leastPartBytes = 8 * mebibyte
const mostParts = 10_000
const partsOfOneSize = 1000

export interface PartPlan {
  baseBytes: number
  doubles: boolean
}

export interface PartPlace {
  /** From 1. */
  number: number
  /** First byte. */
  start: number
  /** First byte of the next part. */
  end: number
}

export function planParts(expectedBytes: number | undefined): PartPlan {
  if (expectedBytes === undefined) return { baseBytes: leastPartBytes, doubles: true }
  const needed = Math.ceil(expectedBytes / mostParts / mebibyte) * mebibyte
  return { baseBytes: Math.max(leastPartBytes, needed), doubles: false }
}

/** The part that the byte at this offset belongs to. */
export function placeOf({ baseBytes, doubles }: PartPlan, offsetBytes: number): PartPlace {
  let sizeBytes = baseBytes
  let before = 0
  let runStart = 0
  while (doubles && offsetBytes >= runStart + partsOfOneSize * sizeBytes) {
    runStart += partsOfOneSize * sizeBytes
    before += partsOfOneSize
    sizeBytes *= 2
  }
  const index = Math.floor((offsetBytes - runStart) / sizeBytes)
  const start = runStart + index * sizeBytes
  return { number: before + index + 1, start, end: start + sizeBytes }
}
