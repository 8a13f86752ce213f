import { MessageChannel } from 'node:worker_threads'

/**
 * Gives the memory of chunks back at once. Node reads request bodies into a new buffer for every
 * piece of 64 KiB, and the collector comes for them when 32 MB of them are dead, whatever its flags
 * say. Memory that is given back early is also still in a cache of the processor when it is taken again.
 */
export interface ChunkMemory {
  /** The chunks are empty afterwards. Those that share their memory with others are left alone. */
  release(chunks: readonly Buffer[]): void
}

export function createChunkMemory(): ChunkMemory {
  // A message takes the memory of its buffers along, and to a closed port it leads nowhere. From
  // Node 21 on, `ArrayBuffer.prototype.transfer` does it by name.
  const { port1, port2 } = new MessageChannel()
  port1.close()
  return {
    release: (chunks) => port2.postMessage(null, chunks.flatMap(ownMemory)),
  }
}

function ownMemory({ buffer, byteLength }: Buffer): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []
}
