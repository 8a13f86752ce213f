const pausesMs = [0, 1000, 3000, 5000]
const LONGEST_PAUSE_MS = 10_000

/** Waits longer after each failure; not when the connection comes back, nor once `signal` aborts. */
export function retryPause(failures: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      globalThis.removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, pausesMs[failures - 1] ?? LONGEST_PAUSE_MS)
    globalThis.addEventListener('online', end)
    signal.addEventListener('abort', end)
  })
}
