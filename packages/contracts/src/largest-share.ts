import type { Settings } from './config-catalogue.ts'

/** Bytes that a share of this person may hold; 0 is no limit. */
export function largestShareBytes(
  settings: Pick<Settings, 'share.maxSize'>,
  user: { shareSizeLimit?: number | null | undefined } | null,
): number {
  return user?.shareSizeLimit ?? settings['share.maxSize']
}
