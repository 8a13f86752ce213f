import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

export interface DrainOptions {
  /**
   * How long requests are still taken: load balancers have to notice, and clients have to give up
   * connections that lie unused.
   */
  lingerMs: number
  /** How long responses under way may take after that. */
  mostMs: number
}

/** The end of a server in which no request gets lost. */
export interface Drain {
  /** Connections end with their responses from now on. */
  begin(): void
  /** Takes requests for a while, then no more; what was begun is finished, unless it takes long. */
  finish(options: DrainOptions): Promise<void>
}

export function createDrain(server: Server): Drain {
  const running = new Set<ServerResponse>()
  let isLeaving = false
  const watch = (_req: IncomingMessage, res: ServerResponse) => {
    running.add(res)
    res.shouldKeepAlive &&= !isLeaving
    res.once('close', () => {
      running.delete(res)
      // Its head may have gone out before, and the connection be kept.
      if (isLeaving && !server.listening) setImmediate(() => server.closeIdleConnections())
    })
  }
  server.prependListener('request', watch)
  // A listener has to respond to it, so only where there is one.
  if (server.listenerCount('checkContinue') > 0) server.prependListener('checkContinue', watch)

  function begin(): void {
    isLeaving = true
    for (const res of running) if (!res.headersSent) res.shouldKeepAlive = false
  }

  return {
    begin,
    async finish({ lingerMs, mostMs }) {
      begin()
      if (lingerMs > 0) await delay(lingerMs)
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), mostMs)
      await closed
      clearTimeout(timer)
    },
  }
}
