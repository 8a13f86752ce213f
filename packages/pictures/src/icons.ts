import type { PngFault } from './png-fault.ts'

/** A logo is at most so many pixels wide and high. */
export const MOST_LOGO_EDGE = 4_096

/** One of the pictures by which browsers and devices know a site. */
export interface Icon {
  /** Its path on the site without the slash in front, such as `img/logo.png`. */
  path: string
  bytes: Uint8Array
}

/**
 * `refused`: this file never becomes a logo. `lost`: the process that decodes died or took too long.
 * `unavailable`: nothing here can decode pictures.
 */
export type IconOutcome =
  | { state: 'made'; icons: Icon[] }
  | { state: 'refused'; fault: PngFault }
  | { state: 'lost' | 'unavailable'; reason: string }

export interface IconMaker {
  /** Every icon of one square PNG, re-encoded. Others wait for their turn. */
  make(png: Uint8Array): Promise<IconOutcome>
  /** Ends the process if there is one. */
  stop(): Promise<void>
}
