import type { Readable } from 'node:stream'
import { AppError } from '@floe/errors'

/** Bytes that come one after another, and stand still while they are not read. */
export interface ByteStream {
  /** What there is by now, at least one byte; 0 at the end. One call at a time. */
  read(target: Uint8Array): Promise<number>
  destroy(): void
}

export function readFrom(source: Readable): ByteStream {
  // A read reports its failure; one that nothing awaits must not end the process.
  source.on('error', () => undefined)

  return {
    async read(target) {
      for (;;) {
        const chunk: Buffer | null = source.read()
        if (chunk !== null) {
          const count = Math.min(chunk.length, target.byteLength)
          target.set(chunk.subarray(0, count))
          if (count < chunk.length) source.unshift(chunk.subarray(count))
          return count
        }
        if (source.errored) throw source.errored
        if (source.readableEnded) return 0
        if (source.destroyed)
          throw new AppError('internal', { detail: 'S3 ended a response early' })
        await becomesReadable(source)
      }
    },
    destroy: () => void source.destroy(),
  }
}

function becomesReadable(source: Readable): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      for (const event of events) source.off(event, settle)
      resolve()
    }
    for (const event of events) source.on(event, settle)
  })
}

const events = ['readable', 'end', 'error', 'close'] as const
