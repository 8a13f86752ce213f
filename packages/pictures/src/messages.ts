/** What is said to the process that decodes: how much is coming, and then the bytes in order. */
export type Request = { type: 'picture'; sizeBytes: number } | { type: 'bytes'; bytes: Uint8Array }

/** `ready` or `unavailable` once at the start, then one answer for each picture. */
export type Answer =
  | { type: 'ready' }
  | { type: 'unavailable'; reason: string }
  | { type: 'made'; bytes: Uint8Array; width: number; height: number }
  | { type: 'refused'; reason: string }
  /** It refuses as well, and ends: what the picture took is not given back otherwise. */
  | { type: 'exhausted'; reason: string }
