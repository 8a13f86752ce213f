import { Connection } from './connection.ts'

/**
 * How long a connection to a server may lie unused and still be used again. A service that stops
 * goes on responding for longer than this, with `Connection: close`: by the time it closes what is
 * left, nobody is about to send a request there, and none is lost on its way.
 */
export const MOST_IDLE_MS = 1_000

export interface ConnectionPool {
  /** An idle connection, the one used last first; else a new one. */
  take(options?: { fresh: boolean }): Connection
  /** Closes idle connections now and the others after their response. */
  close(): void
}

export interface ConnectionPoolOptions {
  /** Base address of the server. */
  url: URL
  silenceMs: number
  connectTimeoutMs?: number
  maxIdle?: number
}

export function createConnectionPool({
  url,
  silenceMs,
  connectTimeoutMs = 10_000,
  maxIdle = 64,
}: ConnectionPoolOptions): ConnectionPool {
  /** In the order they became idle, each with what closes it in time. */
  const idle = new Map<Connection, NodeJS.Timeout>()
  let isClosed = false
  const isTls = url.protocol === 'https:'

  function forget(connection: Connection): void {
    clearTimeout(idle.get(connection))
    idle.delete(connection)
  }

  function keep(connection: Connection): void {
    if (isClosed || idle.size >= maxIdle) return connection.destroy()
    idle.set(connection, setTimeout(() => connection.destroy(), MOST_IDLE_MS).unref())
  }

  function open(): Connection {
    return new Connection({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port) || (isTls ? 443 : 80),
      isTls,
      connectTimeoutMs,
      silenceMs,
      onIdle: keep,
      onClosed: forget,
    })
  }

  return {
    take({ fresh } = { fresh: false }) {
      const newest = fresh ? undefined : [...idle.keys()].findLast(({ socket }) => socket.writable)
      if (newest === undefined) return open()
      forget(newest)
      return newest
    },
    close() {
      isClosed = true
      for (const connection of [...idle.keys()]) connection.destroy()
    },
  }
}
