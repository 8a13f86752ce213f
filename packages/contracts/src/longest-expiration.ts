import type { Settings } from './config-catalogue.ts'

type ExpirationSettings = Pick<Settings, 'share.maxExpiration' | 'share.adminsMayExceedExpiration'>

/** Hours that a share of this caller may last at most; 0 is no limit. */
export function longestExpirationHours(
  settings: ExpirationSettings,
  caller: { isAdmin: boolean } | null,
): number {
  const isExempt = caller?.isAdmin === true && settings['share.adminsMayExceedExpiration']
  return isExempt ? 0 : settings['share.maxExpiration']
}
