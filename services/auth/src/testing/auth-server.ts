import type { AddressInfo } from 'node:net'
import { type AdminPort, type AuthPort, defaultSettings, type Settings } from '@floe/contracts'
import { type Database, migrate, openDatabase, outboxMigrations } from '@floe/db'
import { createRouter, errorHandler, notFoundHandler } from '@floe/http'
import { createLog } from '@floe/log'
import type { JobConsumer } from '@floe/runtime'
import { createTestDatabase } from '@floe/testing'
import express from 'express'
import { authService, migrations } from '../index.ts'

export interface AuthServer {
  url: string
  database: Database
  port: AuthPort
  consumers: readonly JobConsumer[]
  settings: Settings
  passSeconds(seconds: number): void
  /** A second replica on the same database. */
  replicate(): Promise<AuthServer>
  close(): Promise<void>
}

/** The service on a database and a port of its own; only the settings are those of the test. */
export async function startAuthServer(): Promise<AuthServer> {
  const testDatabase = await createTestDatabase()
  const database = openDatabase({ url: testDatabase.url })
  await migrate(database, { service: 'platform', migrations: outboxMigrations })
  await migrate(database, { service: 'auth', migrations })
  const settings = defaultSettings()
  const time = { offsetMs: 0 }
  const server = await serve(database, settings, time)
  return {
    ...server,
    close: async () => {
      await server.close()
      await database.close()
      await testDatabase.drop()
    },
  }
}

async function serve(
  database: Database,
  settings: Settings,
  time: { offsetMs: number },
): Promise<AuthServer> {
  const log = createLog({ level: 'silent', service: 'auth' })
  const admin: AdminPort = { settings: () => Promise.resolve({ ...settings }) }
  const { routes, port, consumers } = await authService.create({
    platform: { database, log, clock: () => new Date(Date.now() + time.offsetMs) },
    ports: { admin },
  })
  const app = express()
  app.set('trust proxy', 'loopback')
  app.use(createRouter(routes), notFoundHandler(), errorHandler(log))
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    database,
    port,
    consumers,
    settings,
    passSeconds: (seconds) => {
      time.offsetMs += seconds * 1000
    },
    replicate: () => serve(database, settings, time),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
