/** Bytes that can be read at any position, until it is closed. */
export interface ByteReader {
  /**
   * Fills `buffer` from `position` as far as there are bytes and returns how many were placed;
   * 0 only at or past the end (or for an empty buffer). A short read is not the end.
   */
  read(buffer: Uint8Array, position: number): Promise<number>
  close(): Promise<void>
}

export interface ByteSpan {
  /** First byte. */
  start: number
  /** First byte not needed. */
  end: number
}
