import { createDecoder, type DecoderOptions } from './decoder.ts'
import { type IconMaker, MOST_LOGO_EDGE } from './icons.ts'
import { findPngFault } from './png-fault.ts'

/** Icons from a process that decodes, and only of what is worth decoding. */
export function createIconMaker(options: DecoderOptions): IconMaker {
  const { decode, stop } = createDecoder(options)
  const { signal } = new AbortController()
  return {
    make: async (png) => {
      const fault = findPngFault(png, { mostEdge: MOST_LOGO_EDGE })
      if (fault !== null) return { state: 'refused', fault }
      const outcome = await decode('icons', sourceOf(png), { signal })
      if (outcome.state === 'made') return { state: 'made', icons: outcome.result }
      if (outcome.state === 'refused') return { state: 'refused', fault: 'damaged' }
      return { state: outcome.state, reason: outcome.reason }
    },
    stop,
  }
}

function sourceOf(bytes: Uint8Array) {
  return {
    sizeBytes: bytes.length,
    read: async (buffer: Uint8Array, position: number) => {
      const part = bytes.subarray(position, position + buffer.length)
      buffer.set(part)
      return part.length
    },
  }
}
