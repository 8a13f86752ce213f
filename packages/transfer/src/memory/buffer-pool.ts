import { AppError } from '@floe/errors'

/**
 * Reusable buffers, cut from slabs of 1 MiB. All of a slab have one size, until none is in use.
 * A pool of whole buffers would leave the collector a set of every size that streams have used
 * while their number rose and fell, and it comes for them too late.
 */

export const slabBytes = 1024 * 1024
const leastBlockBytes = 8 * 1024

interface Slab {
  blockBytes: number
  free: Buffer[]
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

  function findSlab(sizeBytes: number): Slab {
    const all = [...slabs.values()]
    const fitting = all.find(({ blockBytes, free }) => blockBytes === sizeBytes && free.length > 0)
    return fitting ?? recut(all.find(isFree)?.free[0]?.buffer, sizeBytes)
  }

  function recut(
    memory: ArrayBufferLike = Buffer.allocUnsafeSlow(slabBytes).buffer,
    sizeBytes: number,
  ): Slab {
    const count = slabBytes / sizeBytes
    const free = Array.from({ length: count }, (_, index) =>
      Buffer.from(memory, index * sizeBytes, sizeBytes),
    )
    const slab = { blockBytes: sizeBytes, free }
    slabs.set(memory, slab)
    return slab
  }

  return {
    take(sizeBytes) {
      const block = isBlockSize(sizeBytes) ? findSlab(sizeBytes).free.pop() : undefined
      return block ?? Buffer.allocUnsafeSlow(sizeBytes)
    },
    give(buffer) {
      const slab = slabs.get(buffer.buffer)
      if (slab === undefined) return
      if (slab.free.includes(buffer)) {
        throw new AppError('internal', { detail: 'buffer given back twice' })
      }
      slab.free.push(buffer)
      const resting = [...slabs.values()].filter(isFree)
      if (isFree(slab) && resting.length * slabBytes > restingBytes) slabs.delete(buffer.buffer)
    },
    get slabBytes() {
      return slabs.size * slabBytes
    },
    get freeBytes() {
      let bytes = 0
      for (const { blockBytes, free } of slabs.values()) bytes += blockBytes * free.length
      return bytes
    },
  }
}

function isFree({ blockBytes, free }: Slab): boolean {
  return blockBytes * free.length === slabBytes
}

function isBlockSize(sizeBytes: number): boolean {
  const isPowerOfTwo = (sizeBytes & (sizeBytes - 1)) === 0
  return isPowerOfTwo && sizeBytes >= leastBlockBytes && sizeBytes <= slabBytes
}
