import { randomBytes } from 'node:crypto'

import { borrowEmbeddedPostgres, openDatabase } from '@floe/db'
import { inject } from 'vitest'

export interface TestDatabase {
  url: string
  /** Ends every connection to it and removes it. */
  drop(): Promise<void>
}

/** A fresh, empty database on the server of the integration run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('databaseUrl')
  const name = `test_${randomBytes(8).toString('hex')}`
  await runOnce(serverUrl, 'create database ??', name)

  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: () => runOnce(serverUrl, 'drop database if exists ?? with (force)', name),
  }
}

/** A fresh, empty database on the server that a running Floe has in this directory; its address. */
export async function createNeighbourDatabase(dataDir: string, name: string): Promise<string> {
  const { url } = await borrowEmbeddedPostgres({ dataDir, log: silentLog })
  await runOnce(url, 'create database ??', name)
  const neighbour = new URL(url)
  neighbour.pathname = `/${name}`
  return neighbour.href
}

const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined }

async function runOnce(url: string, statement: string, name: string): Promise<void> {
  const database = openDatabase({ url, maxConnections: 1, applicationName: 'floe-test' })
  try {
    await database.knex.raw(statement, [name])
  } finally {
    await database.close()
  }
}
