/** Calls for the same key share one run while it lasts. */
export function shareRuns<Key, Args extends unknown[], Result>(
  run: (key: Key, ...args: Args) => Promise<Result>,
): (key: Key, ...args: Args) => Promise<Result> {
  const running = new Map<Key, Promise<Result>>()
  return (key, ...args) => {
    const shared = running.get(key)
    if (shared !== undefined) return shared
    const started = run(key, ...args).finally(() => running.delete(key))
    running.set(key, started)
    return started
  }
}
