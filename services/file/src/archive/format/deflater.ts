import { constants, deflateRaw } from 'node:zlib'

/**
 * Raw deflate (RFC 1951) in blocks that know nothing of each other's compression, so that several
 * cores work on one file and a killed worker goes on at any block. Each is primed with the 32 KiB
 * before it and ends on a byte boundary (an empty stored block, zlib's sync flush); one after
 * another they are one stream. The result depends on nothing but the bytes, the level and zlib.
 *
 * zlib runs on libuv's thread pool, which files and password hashes need as well: all deflating in
 * this process shares one deflater, which queues what exceeds its concurrency.
 */

/**
 * Each block costs a way to the thread pool and back, on which a core may idle for milliseconds:
 * half the size would cost two cores an eighth of their speed.
 */
export const DEFLATE_BLOCK_BYTES = 2 * 1024 * 1024
/** As far back as deflate can refer. */
export const DICTIONARY_BYTES = 32 * 1024

/** From here on a block is worth a look before it is deflated. */
const leastProbedBytes = 256 * 1024
const probedPieces = 8
const probedPieceBytes = 8 * 1024
const fastestLevel = 1
/** Random bytes grow a little, photographs and films lose less than this. */
const leastShrinkage = 0.01
const longestStoredBytes = 0xffff

export interface DeflateOptions {
  /** 1 to 9. */
  level: number
  /** The content just before the block, at most 32 KiB; empty for the first one. */
  dictionary: Uint8Array
  isLast: boolean
}

export interface Deflater {
  /** Blocks that are deflated at the same time. */
  readonly concurrency: number
  /** The block's part of the stream; it may refer to the block's memory. */
  deflate(block: Buffer, options: DeflateOptions): Promise<readonly Uint8Array[]>
  /** Whether these pieces, deflated each by itself, lose enough to be worth it. */
  shrinks(pieces: readonly Uint8Array[], options: { level: number }): Promise<boolean>
}

export function createDeflater({ concurrency }: { concurrency: number }): Deflater {
  const enqueue = createQueue(concurrency)

  function run(bytes: Uint8Array, options: DeflateOptions): Promise<Buffer> {
    return enqueue(() => deflateOnce(bytes, options))
  }

  async function shrinks(pieces: readonly Uint8Array[], { level }: { level: number }) {
    const options = { level, dictionary: new Uint8Array(), isLast: true }
    const deflated = await Promise.all(pieces.map((piece) => run(piece, options)))
    return isWorthIt(totalBytes(deflated), totalBytes(pieces))
  }

  return {
    concurrency,
    shrinks,
    deflate: async (block, options) => {
      // Photographs inside an archive, say: a look costs a hundredth of deflating for nothing. It
      // skips the queue, so that it is done while the block waits in it.
      if (block.length >= leastProbedBytes && !(await looksCompressible(block))) {
        return storeBlock(block, options)
      }
      const deflated = await run(block, options)
      return deflated.length < block.length ? [deflated] : storeBlock(block, options)
    },
  }
}

/** A second copy of the content is kept only where it is smaller by a hundredth. */
export function isWorthIt(deflatedBytes: number, sizeBytes: number): boolean {
  return deflatedBytes <= sizeBytes * (1 - leastShrinkage)
}

function deflateOnce(bytes: Uint8Array, { level, dictionary, isLast }: DeflateOptions) {
  return new Promise<Buffer>((resolve, reject) => {
    const options = {
      level,
      finishFlush: isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH,
      // In one piece: each further one costs a round of the event loop and a copy.
      chunkSize: Math.max(constants.Z_MIN_CHUNK, bytes.length + 1024),
      ...(dictionary.length > 0 && { dictionary }),
    }
    deflateRaw(bytes, options, (error, result) => (error ? reject(error) : resolve(result)))
  })
}

/** RFC 1951 §3.2.4: as it is, five bytes more for every 64 KiB. */
function storeBlock(block: Buffer, { isLast }: DeflateOptions): Uint8Array[] {
  const chunks: Uint8Array[] = []
  for (let start = 0; start < block.length; start += longestStoredBytes) {
    const piece = block.subarray(start, start + longestStoredBytes)
    const header = Buffer.alloc(5)
    header.writeUInt8(isLast && start + piece.length === block.length ? 1 : 0, 0)
    header.writeUInt16LE(piece.length, 1)
    header.writeUInt16LE(piece.length ^ 0xffff, 3)
    chunks.push(header, piece)
  }
  return chunks
}

/** By a few pieces from all over the block. */
async function looksCompressible(block: Buffer): Promise<boolean> {
  const stepBytes = Math.floor((block.length - probedPieceBytes) / (probedPieces - 1))
  const pieces = Array.from({ length: probedPieces }, (_, index) =>
    block.subarray(index * stepBytes, index * stepBytes + probedPieceBytes),
  )
  const probe = Buffer.concat(pieces)
  const options = { level: fastestLevel, dictionary: new Uint8Array(), isLast: true }
  return isWorthIt((await deflateOnce(probe, options)).length, probe.length)
}

function totalBytes(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0)
}

/** Runs at most `count` at once; the others wait in order. */
function createQueue(count: number) {
  const waiting: (() => void)[] = []
  let free = count

  return async function enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}
