/** Bytes that can be read at any position: an object, or an archive computed over many. */
export interface ByteSource {
  /**
   * Fills `buffer` from `position` as far as there are bytes and returns how many were placed;
   * 0 only at or past the end (or for an empty buffer). A short read is not the end.
   */
  read(buffer: Uint8Array, position: number): Promise<number>
}
