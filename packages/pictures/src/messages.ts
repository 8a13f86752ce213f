import type { Icon } from './icons.ts'
import type { Thumbnail } from './thumbnail.ts'

/** What can be made of a picture. */
export interface Results {
  thumbnail: Thumbnail
  icons: Icon[]
}
export type Task = keyof Results

/** What is said to the process that decodes: what is coming, how much, and then the bytes in order. */
export type DecodeRequest =
  { type: 'picture'; task: Task; sizeBytes: number } | { type: 'bytes'; bytes: Uint8Array }

/** `ready` or `unavailable` once at the start, then one response for each picture. */
export type DecodeResponse =
  | { type: 'ready' }
  | { type: 'unavailable'; reason: string }
  | { type: 'made'; result: Results[Task] }
  | { type: 'refused'; reason: string }
  /** It refuses as well, and ends: what the picture took is not given back otherwise. */
  | { type: 'exhausted'; reason: string }
