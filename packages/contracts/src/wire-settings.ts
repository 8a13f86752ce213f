import type { ConfigKey } from './config-catalogue.ts'

/** More bytes than any file has: existing clients refuse what is bigger than `share.maxSize`. */
const NO_LIMIT = String(Number.MAX_SAFE_INTEGER)

/** How the public list tells a setting: no limit, 0 with us, as one that nothing reaches. */
export function settingToWire(key: ConfigKey, text: string): string {
  return key === 'share.maxSize' && text === '0' ? NO_LIMIT : text
}

export function settingFromWire(key: ConfigKey, text: string): string {
  return key === 'share.maxSize' && text === NO_LIMIT ? '0' : text
}
