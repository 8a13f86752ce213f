import type { Settings } from '@floe/contracts'
import { isExpired, type Share } from './share.ts'

const hourMs = 3_600_000

/** The moment of a list, and since when a share may have ended whose files are still kept. */
export interface Kept {
  now: Date
  /** Shares that ended then or earlier are deleted. */
  keptSince: Date
}

export function keptAt(settings: Settings, now: Date): Kept {
  return { now, keptSince: new Date(now.getTime() - retentionMs(settings)) }
}

/**
 * Until when the files of a share outlive its end: nobody but its owner knows of it meanwhile, who
 * may give it a new one. `null` before it ends, and where nothing is kept.
 */
export function keptUntil(
  share: Pick<Share, 'expiresAt' | 'state'>,
  settings: Settings,
  now: Date,
): Date | null {
  const { expiresAt, state } = share
  // What was never completed goes with its end: no list has it.
  if (expiresAt === null || !isExpired(share, now) || state === 'open') return null
  const until = new Date(expiresAt.getTime() + retentionMs(settings))
  return until > now ? until : null
}

function retentionMs(settings: Settings): number {
  return settings['share.fileRetentionPeriod'] * hourMs
}
