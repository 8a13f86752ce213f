const NAME = 'floe-access-token'

/** What the tabs of this browser tell each other about the access token, which they share. */
export interface TokenTabs {
  /** One tab at a time. Where the browser offers no locks, without waiting for the others. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  /** Until when the token that a tab obtained last is good, in ms since the epoch. */
  readExpiry(): number | null
  recordExpiry(expiresAtMs: number | null): void
}

/** Browsers offer `locks` on https and localhost alone. */
export function createTokenTabs({
  locks,
  storage,
}: {
  locks: Pick<LockManager, 'request'> | undefined
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}): TokenTabs {
  return {
    exclusively: async (work) => (locks ? await locks.request(NAME, work) : await work()),
    readExpiry() {
      const expiresAtMs = Number(storage.getItem(NAME))
      return expiresAtMs > 0 ? expiresAtMs : null
    },
    recordExpiry(expiresAtMs) {
      try {
        if (expiresAtMs === null) storage.removeItem(NAME)
        else storage.setItem(NAME, String(expiresAtMs))
      } catch {
        // A storage that is full costs a renewal more, not the request at hand.
      }
    },
  }
}
