/**
 * What is wrong with a ciphertext.
 *
 * - `parameters`: its header is of another algorithm or segment length.
 * - `key`: its header was not made with this key and associated data.
 * - `framing`: a segment has a length that its place does not allow.
 * - `authentication`: a segment was altered, or belongs to another place or file.
 * - `truncated`: it ends before its last segment, or goes on behind it.
 */
export type FloeFault = 'parameters' | 'key' | 'framing' | 'authentication' | 'truncated'

const MESSAGES: Record<FloeFault, string> = {
  parameters: 'The header names parameters that are not taken',
  key: 'The header belongs to another key or to other associated data',
  framing: 'The length of a segment is not what its place demands',
  authentication: 'A segment is not authentic',
  truncated: 'The ciphertext does not end with its last segment',
}

/** A ciphertext that must not be taken; `segment` counts from 0, null where none is to blame. */
export class FloeError extends Error {
  override readonly name = 'FloeError'
  readonly fault: FloeFault
  readonly segment: number | null

  constructor(fault: FloeFault, segment: number | null = null, options?: ErrorOptions) {
    super(segment === null ? MESSAGES[fault] : `${MESSAGES[fault]} (segment ${segment})`, options)
    this.fault = fault
    this.segment = segment
  }
}
