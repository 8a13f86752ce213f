export interface ThrottledStore<T> {
  get(): T
  subscribe(listener: () => void): () => void
  /** Something has changed: takes the next value after a while, once for all changes until then. */
  touch(): void
  /** Takes the next value now, for a change that somebody waits for. */
  refresh(): void
  close(): void
}

/** A value that is costly to take and changes many times a second, for React to subscribe to. */
export function createThrottledStore<T>(take: () => T, intervalMs: number): ThrottledStore<T> {
  const listeners = new Set<() => void>()
  let value = take()
  let timer: ReturnType<typeof setTimeout> | null = null

  function refresh() {
    if (timer !== null) clearTimeout(timer)
    timer = null
    value = take()
    for (const listener of listeners) listener()
  }

  return {
    get: () => value,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    touch() {
      timer ??= setTimeout(refresh, intervalMs)
    },
    refresh,
    close() {
      if (timer !== null) clearTimeout(timer)
      listeners.clear()
    },
  }
}
