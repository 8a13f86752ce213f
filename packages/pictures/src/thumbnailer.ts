import { createDecoder, type DecodeOutcome, type DecoderOptions } from './decoder.ts'
import { MOST_PICTURE_BYTES, type Thumbnailer, type ThumbnailOutcome } from './thumbnail.ts'

/** Thumbnails from a process that decodes; its crash is an outcome, not an error. */
export function createThumbnailer(options: DecoderOptions): Thumbnailer {
  const { decode, isAvailable, stop } = createDecoder(options)
  return {
    make: async (picture, { signal }) => {
      signal.throwIfAborted()
      if (picture.sizeBytes === 0) return { state: 'refused', reason: 'it is empty' }
      if (picture.sizeBytes > MOST_PICTURE_BYTES) {
        return { state: 'refused', reason: 'it is too big' }
      }
      return toOutcome(await decode('thumbnail', picture, { signal }))
    },
    isAvailable,
    stop,
  }
}

function toOutcome(outcome: DecodeOutcome<'thumbnail'>): ThumbnailOutcome {
  return outcome.state === 'made' ? { state: 'made', thumbnail: outcome.result } : outcome
}
