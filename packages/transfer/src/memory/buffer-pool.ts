import { AppError } from '@floe/errors'

/**
 * Reusable buffers, cut from slabs of 1 MiB by halving and joined again when they come back.
 * A pool of whole buffers would leave the collector a set of every size that streams have used
 * while their number rose and fell, and it comes for them too late.
 */

export const slabBytes = 1024 * 1024
const leastBlockBytes = 8 * 1024

interface Slab {
  memory: Buffer
  /** Offsets of free blocks, by size. */
  free: Map<number, Set<number>>
}

export interface BufferPool {
  /** A buffer of exactly `sizeBytes`, with old contents. */
  take(sizeBytes: number): Buffer
  give(buffer: Buffer): void
  /** Bytes of all slabs, in use or not. */
  readonly slabBytes: number
  /** Bytes of them that are free. */
  readonly freeBytes: number
}

/** @param options.restingBytes whole free slabs beyond it are left to the collector. */
export function createBufferPool({ restingBytes }: { restingBytes: number }): BufferPool {
  const slabs = new Map<ArrayBufferLike, Slab>()
  let wholeFreeSlabs = 0

  function take(sizeBytes: number): Buffer {
    if (!isBlockSize(sizeBytes)) return Buffer.allocUnsafeSlow(sizeBytes)
    const { slab, offset, blockBytes } = findBlock(sizeBytes) ?? addSlab()
    slab.free.get(blockBytes)?.delete(offset)
    if (blockBytes === slabBytes) wholeFreeSlabs -= 1
    for (let half = blockBytes / 2; half >= sizeBytes; half /= 2) {
      addFree(slab, half, offset + half)
    }
    return slab.memory.subarray(offset, offset + sizeBytes)
  }

  /** Best fit, so that whole slabs stay whole. */
  function findBlock(sizeBytes: number) {
    for (let blockBytes = sizeBytes; blockBytes <= slabBytes; blockBytes *= 2) {
      for (const slab of slabs.values()) {
        for (const offset of slab.free.get(blockBytes) ?? []) return { slab, offset, blockBytes }
      }
    }
    return null
  }

  function addSlab() {
    const slab: Slab = { memory: Buffer.allocUnsafeSlow(slabBytes), free: new Map() }
    slabs.set(slab.memory.buffer, slab)
    addFree(slab, slabBytes, 0)
    wholeFreeSlabs += 1
    return { slab, offset: 0, blockBytes: slabBytes }
  }

  function give(buffer: Buffer) {
    const slab = slabs.get(buffer.buffer)
    if (slab === undefined) return
    let blockBytes = buffer.length
    let offset = buffer.byteOffset
    if (slab.free.get(blockBytes)?.has(offset) === true) {
      throw new AppError('internal', { detail: 'buffer given back twice' })
    }
    // The other half of a block differs from it in one bit of the offset.
    while (blockBytes < slabBytes && slab.free.get(blockBytes)?.delete(offset ^ blockBytes)) {
      offset &= ~blockBytes
      blockBytes *= 2
    }
    addFree(slab, blockBytes, offset)
    if (blockBytes < slabBytes) return
    wholeFreeSlabs += 1
    if (wholeFreeSlabs * slabBytes <= restingBytes) return
    slabs.delete(slab.memory.buffer)
    wholeFreeSlabs -= 1
  }

  return {
    take,
    give,
    get slabBytes() {
      return slabs.size * slabBytes
    },
    get freeBytes() {
      let bytes = 0
      for (const { free } of slabs.values()) {
        for (const [blockBytes, offsets] of free) bytes += blockBytes * offsets.size
      }
      return bytes
    },
  }
}

function isBlockSize(sizeBytes: number): boolean {
  const isPowerOfTwo = (sizeBytes & (sizeBytes - 1)) === 0
  return isPowerOfTwo && sizeBytes >= leastBlockBytes && sizeBytes <= slabBytes
}

function addFree({ free }: Slab, blockBytes: number, offset: number) {
  const offsets = free.get(blockBytes)
  if (offsets === undefined) free.set(blockBytes, new Set([offset]))
  else offsets.add(offset)
}
