import type { Icon } from '@tabler/icons-react'
import type { Findable } from './find-entries.ts'

/** In the order in which they stand before anything is typed. */
export const groups = [
  'actions',
  'pages',
  'shares',
  'reverseShares',
  'configuration',
  'appearance',
  'language',
  'search',
] as const

export type Group = (typeof groups)[number]

/** Something to go to or to do. */
export interface Entry extends Findable {
  id: string
  group: Group
  icon: Icon
  /** Stands there before anything is typed; others only come when they are looked for. */
  isOffered: boolean
  /** An address of this site, or what happens. */
  act: string | (() => void)
}
