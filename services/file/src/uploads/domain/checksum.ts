import { createHash, type Hash } from 'node:crypto'
import { crc32 as updateCrc32 } from 'node:zlib'

/** A digest the sender promised for one request body. */
export interface ExpectedChecksum {
  algorithm: 'crc32' | 'sha1' | 'sha256' | 'md5'
  digest: Buffer
}

export interface RunningDigest {
  update(chunk: Buffer): void
  matches(): boolean
}

export function startDigest({ algorithm, digest }: ExpectedChecksum): RunningDigest {
  if (algorithm === 'crc32') {
    let crc32 = 0
    return {
      update: (chunk) => {
        crc32 = updateCrc32(chunk, crc32)
      },
      matches: () => digest.length === 4 && digest.readUInt32BE() === crc32,
    }
  }
  const hash: Hash = createHash(algorithm)
  return {
    update: (chunk) => {
      hash.update(chunk)
    },
    matches: () => hash.digest().equals(digest),
  }
}
