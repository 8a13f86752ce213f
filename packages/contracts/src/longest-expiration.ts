import type { Identity } from './ports/auth-port.ts'
import type { Settings } from './config-catalogue.ts'

type ExpirationSettings = Pick<Settings, 'share.maxExpiration' | 'share.adminsMayExceedExpiration'>

/** Hours that a share of this caller may last at most; 0 is no limit. */
export function longestExpirationHours(
  settings: ExpirationSettings,
  caller: Pick<Identity, 'isAdmin' | 'tokenCaps'> | null,
): number {
  const isExempt = caller?.isAdmin === true && settings['share.adminsMayExceedExpiration']
  const allowed = isExempt ? 0 : settings['share.maxExpiration']
  const capped = caller?.tokenCaps?.maxExpirationHours ?? 0
  return allowed > 0 && capped > 0 ? Math.min(allowed, capped) : Math.max(allowed, capped)
}
