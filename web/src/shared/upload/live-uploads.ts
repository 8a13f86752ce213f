const PREFIX = 'floe-upload '

/** What the other tabs of this browser are told by one that is about an upload. */
export interface LiveUpload {
  /** Its share has another link. */
  move(shareId: string): void
  end(): void
}

/**
 * Tells the other tabs until it ends or the tab is gone (Web Locks). Without HTTPS there are no locks,
 * and nobody is told.
 */
export function announceLive(shareId: string): LiveUpload {
  let end = hold(shareId)
  return {
    move(newId) {
      end()
      end = hold(newId)
    },
    end: () => end(),
  }
}

function hold(shareId: string): () => void {
  if (!('locks' in navigator)) return () => undefined
  let release = (): void => undefined
  const over = new Promise<void>((resolve) => (release = resolve))
  // A page that is on its way out gets none, and needs none.
  navigator.locks.request(PREFIX + shareId, { mode: 'shared' }, () => over).catch(() => undefined)
  return release
}

/** The shares that some tab is sending or filling in. */
export async function listLive(): Promise<ReadonlySet<string>> {
  if (!('locks' in navigator)) return new Set()
  const { held = [] } = await navigator.locks.query()
  const names = held.map(({ name = '' }) => name).filter((name) => name.startsWith(PREFIX))
  return new Set(names.map((name) => name.slice(PREFIX.length)))
}
