import { FloeError } from './floe-error.ts'

/** Parameters (10), IV (32) and tag (32). */
export const HEADER_BYTES = 74
/** Length (4), IV (12) and tag (16) of each segment. */
export const SEGMENT_OVERHEAD_BYTES = 32

/** Browsers take memory of this size from what they have; for larger pieces they ask the system, each time. */
export const DEFAULT_SEGMENT_BYTES = 256 * 1024
/** What readers take: what others encrypt may have other segments, but not of any length. */
export const MIN_SEGMENT_BYTES = 4 * 1024
export const MAX_SEGMENT_BYTES = 16 * 1024 * 1024

/** AES-256-GCM (0), HKDF-Expand-SHA-384 (0), the length of a segment, an IV of 32 bytes. */
export function encodeParameters(segmentBytes: number): Uint8Array<ArrayBuffer> {
  const encoded = new Uint8Array(10)
  const view = new DataView(encoded.buffer)
  view.setUint32(2, segmentBytes)
  view.setUint32(6, 32)
  return encoded
}

/**
 * The length of the segments that a header tells, before anything of it is authentic.
 *
 * @throws FloeError `parameters`, where it is no FLOE header or its segments are out of bounds.
 */
export function readSegmentBytes(header: Uint8Array): number {
  if (header.length !== HEADER_BYTES) throw new FloeError('parameters')
  const segmentBytes = new DataView(header.buffer, header.byteOffset).getUint32(2)
  if (segmentBytes < MIN_SEGMENT_BYTES || segmentBytes > MAX_SEGMENT_BYTES)
    throw new FloeError('parameters')
  return segmentBytes
}

/** Where what lies in a ciphertext; all lengths and offsets in bytes. */
export class FloeLayout {
  readonly plainBytes: number
  readonly segmentCount: number
  readonly segmentBytes: number
  readonly plainSegmentBytes: number
  readonly cipherBytes: number

  private constructor(plainBytes: number, segmentCount: number, segmentBytes: number) {
    this.plainBytes = plainBytes
    this.segmentCount = segmentCount
    this.segmentBytes = segmentBytes
    this.plainSegmentBytes = segmentBytes - SEGMENT_OVERHEAD_BYTES
    this.cipherBytes = HEADER_BYTES + plainBytes + segmentCount * SEGMENT_OVERHEAD_BYTES
  }

  /** As we encrypt: an empty text has one segment, and no empty one follows full ones. */
  static ofText(plainBytes: number, segmentBytes: number = DEFAULT_SEGMENT_BYTES): FloeLayout {
    const plainSegmentBytes = segmentBytes - SEGMENT_OVERHEAD_BYTES
    const segmentCount = Math.max(1, Math.ceil(plainBytes / plainSegmentBytes))
    return new FloeLayout(plainBytes, segmentCount, segmentBytes)
  }

  /**
   * As anybody may have encrypted: the last segment may be empty.
   *
   * @throws FloeError `truncated`, where no ciphertext has this length.
   */
  static ofCiphertext(
    cipherBytes: number,
    segmentBytes: number = DEFAULT_SEGMENT_BYTES,
  ): FloeLayout {
    const bodyBytes = cipherBytes - HEADER_BYTES
    const segmentCount = Math.ceil(bodyBytes / segmentBytes)
    const lastBytes = bodyBytes - (segmentCount - 1) * segmentBytes
    if (bodyBytes <= 0 || lastBytes < SEGMENT_OVERHEAD_BYTES) throw new FloeError('truncated')
    return new FloeLayout(
      bodyBytes - segmentCount * SEGMENT_OVERHEAD_BYTES,
      segmentCount,
      segmentBytes,
    )
  }

  isLast(position: number): boolean {
    return position === this.segmentCount - 1
  }

  /** Where a segment begins in the ciphertext, and where it ends (exclusive). */
  cipherRange(position: number): { start: number; end: number } {
    const start = HEADER_BYTES + position * this.segmentBytes
    return { start, end: Math.min(start + this.segmentBytes, this.cipherBytes) }
  }

  plainRange(position: number): { start: number; end: number } {
    const start = position * this.plainSegmentBytes
    return { start, end: Math.min(start + this.plainSegmentBytes, this.plainBytes) }
  }

  /** The segment that holds this byte of the text. */
  positionOf(plainOffset: number): number {
    return Math.floor(plainOffset / this.plainSegmentBytes)
  }
}
