/** What a picture's name may end in to be looked at; its bytes decide about the rest. */
export const thumbnailExtensions = [
  ...['apng', 'avif', 'gif', 'jfif', 'jpeg', 'jpg', 'png', 'tif', 'tiff', 'webp'],
] as const

/** A thumbnail fits into a square of so many pixels; smaller pictures keep their size. */
export const THUMBNAIL_EDGE = 480
/** Nobody waits for the picture of a larger file: 100 MB. */
export const MOST_PICTURE_BYTES = 100_000_000
/** Width times height, as the picture's header tells them. */
export const MOST_PIXELS = 100_000_000

/** WebP without any metadata, upright, its first frame alone. */
export interface Thumbnail {
  bytes: Uint8Array
  /** Pixels, as for `height`; at most `THUMBNAIL_EDGE`, at least 1. */
  width: number
  height: number
}

export interface PictureSource {
  sizeBytes: number
  /** As an object's reader: how many bytes were placed, 0 only past the end. */
  read(buffer: Uint8Array, position: number): Promise<number>
}

/**
 * `refused`: these bytes never give a thumbnail. `lost`: the process that decodes died or took too
 * long, which another attempt may change. `unavailable`: nothing here can decode pictures.
 */
export type ThumbnailOutcome =
  | { state: 'made'; thumbnail: Thumbnail }
  | { state: 'refused' | 'lost' | 'unavailable'; reason: string }

export interface Thumbnailer {
  /**
   * One picture at a time; others wait for their turn. Fails with what `read` throws, and with the
   * reason of the signal.
   */
  make(picture: PictureSource, options: { signal: AbortSignal }): Promise<ThumbnailOutcome>
  /** Whether pictures can be decoded here at all. */
  isAvailable(): Promise<boolean>
  /** Ends the process if there is one. */
  stop(): Promise<void>
}

const named = new RegExp(`\\.(?:${thumbnailExtensions.join('|')})$`, 'i')

export function isPictureName(name: string): boolean {
  return named.test(name)
}
