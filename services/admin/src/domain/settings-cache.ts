import type { Settings } from '@floe/contracts'

/** Tells every process that a setting was changed. */
export const SETTINGS_CHANNEL = 'floe_settings_changed'

/** How long another replica may go on using a value after a change. */
export const SETTINGS_FRESH_MS = 1_000

export interface SettingsCache {
  read(): Promise<Settings>
  /** The next read asks the database, also when a read is under way. */
  invalidate(): void
}

export function createSettingsCache({
  load,
  clock,
}: {
  load: () => Promise<Settings>
  clock: () => Date
}): SettingsCache {
  let cached: { settings: Promise<Settings>; readAt: number } | null = null

  function isFresh(readAt: number): boolean {
    const ageMs = clock().getTime() - readAt
    // A clock set back must not keep old values alive.
    return ageMs >= 0 && ageMs < SETTINGS_FRESH_MS
  }

  function begin(): Promise<Settings> {
    const entry = { settings: load(), readAt: clock().getTime() }
    cached = entry
    entry.settings.catch(() => {
      if (cached === entry) cached = null
    })
    return entry.settings
  }

  return {
    read: () => (cached && isFresh(cached.readAt) ? cached.settings : begin()),
    invalidate: () => {
      cached = null
    },
  }
}
