import type { TransferBudget } from './transfer-budget.ts'
import { openConnection, type UpstreamConnection } from './upstream-connection.ts'

export interface ConnectionPool {
  /** An idle connection, the one used last first; else a new one. */
  take(options?: { fresh: boolean }): UpstreamConnection
  /** Closes idle connections now and the others after their response. */
  close(): void
}

export interface ConnectionPoolOptions {
  url: URL
  budget: TransferBudget
  now: () => number
  silenceMs: number
  connectTimeoutMs?: number
  maxIdle?: number
}

export function createConnectionPool({
  url,
  budget,
  now,
  silenceMs,
  connectTimeoutMs = 10_000,
  maxIdle = 64,
}: ConnectionPoolOptions): ConnectionPool {
  const idle: UpstreamConnection[] = []
  let isClosed = false

  function open(): UpstreamConnection {
    return openConnection({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? 80 : Number(url.port),
      connectTimeoutMs,
      silenceMs,
      budget,
      now,
      onIdle: (connection) => {
        if (isClosed || idle.length >= maxIdle) connection.destroy()
        else idle.push(connection)
      },
      onClosed: (connection) => {
        const index = idle.indexOf(connection)
        if (index >= 0) idle.splice(index, 1)
      },
    })
  }

  return {
    take({ fresh } = { fresh: false }) {
      if (fresh) return open()
      for (let connection = idle.pop(); connection !== undefined; connection = idle.pop()) {
        if (connection.isUsable(now())) return connection
        connection.destroy()
      }
      return open()
    },
    close() {
      isClosed = true
      for (const connection of idle.splice(0)) connection.destroy()
    },
  }
}
