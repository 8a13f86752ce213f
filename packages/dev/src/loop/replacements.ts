export interface RunningServer {
  port: number
  /** Resolves once the process has ended. */
  stop(): Promise<void>
}

export interface Replacements {
  /** Where requests go now. */
  ports(): readonly number[]
  /** Starts a server; the one before it stops once the new one is ready. Rejects if none gets ready. */
  replace(): Promise<void>
  stop(): Promise<void>
}

/** One server after another; a replacement asked for while one is under way follows it, once. */
export function openReplacements({ start }: { start(): Promise<RunningServer> }): Replacements {
  const ending = new Set<Promise<void>>()
  let current: RunningServer | null = null
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null

  async function replaceNow(): Promise<void> {
    const server = await start()
    const before = current
    current = server
    if (before) end(before)
  }

  function end(server: RunningServer): void {
    const ended: Promise<void> = server.stop().finally(() => ending.delete(ended))
    ending.add(ended)
  }

  return {
    ports: () => (current ? [current.port] : []),
    replace: () => {
      next ??= running
        .catch(() => undefined)
        .then(() => {
          next = null
          running = replaceNow()
          return running
        })
      return next
    },
    stop: async () => {
      await running.catch(() => undefined)
      if (current) end(current)
      current = null
      await Promise.all(ending)
    },
  }
}
