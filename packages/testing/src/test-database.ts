import { createHash, randomBytes } from 'node:crypto'

import {
  borrowEmbeddedPostgres,
  migrate,
  type MigrateOptions,
  openDatabase,
  startEmbeddedPostgres,
} from '@floe/db'
import { inject } from 'vitest'

export interface TestDatabase {
  url: string
  /** Ends every connection to it and removes it. */
  drop(): Promise<void>
}

/**
 * A fresh database on the server of the integration run, empty or with these migrations applied.
 * The first file that asks for a list of migrations runs them; the others get copies of the result.
 */
export async function createTestDatabase(
  migrations: readonly MigrateOptions[] = [],
): Promise<TestDatabase> {
  const serverUrl = inject('databaseUrl')
  const name = `test_${randomBytes(8).toString('hex')}`
  const template = migrations.length === 0 ? 'template1' : await findTemplate(serverUrl, migrations)
  await runOnce(serverUrl, 'create database ?? template ?? strategy file_copy', [name, template])
  return {
    url: urlOf(serverUrl, name),
    drop: () => runOnce(serverUrl, 'drop database if exists ?? with (force)', [name]),
  }
}

/** A fresh, empty database on the server that a running Floe has in this directory; its address. */
export async function createNeighbourDatabase(dataDir: string, name: string): Promise<string> {
  const { url } = await borrowEmbeddedPostgres({ dataDir, log: silentLog })
  await runOnce(url, 'create database ??', [name])
  return urlOf(url, name)
}

/** Runs statements in the database of a data directory, whether a Floe runs on it or not; the last one's rows. */
export function queryDataDirectory(
  dataDir: string,
  ...statements: string[]
): Promise<Record<string, unknown>[]> {
  return withDataDirectory(dataDir, (url) => queryDatabase(url, ...statements))
}

export async function withDataDirectory<T>(
  dataDir: string,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const postgres = await borrowEmbeddedPostgres({ dataDir, log: silentLog })
  try {
    return await work(postgres.url)
  } finally {
    await postgres.stop()
  }
}

/** The same in a data directory that has no database yet. */
export async function queryNewDataDirectory(
  dataDir: string,
  ...statements: string[]
): Promise<Record<string, unknown>[]> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
  try {
    return await queryDatabase(postgres.url, ...statements)
  } finally {
    await postgres.stop()
  }
}

/** Runs statements; the last one's rows. */
export async function queryDatabase(
  url: string,
  ...statements: string[]
): Promise<Record<string, unknown>[]> {
  const database = openDatabase({ url, maxConnections: 1, applicationName: 'floe-test' })
  try {
    let rows: Record<string, unknown>[] = []
    for (const text of statements) rows = await database.query({ name: '', text, values: [] })
    return rows
  } finally {
    await database.close()
  }
}

const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Any number: only the workers of this run lock anything on their server's own database. */
const TEMPLATE_LOCK = 1

/** Templates that this process has found or built. */
const templates = new Map<string, Promise<string>>()

/** The name says what was applied, and exists only once all of it was. */
function findTemplate(serverUrl: string, migrations: readonly MigrateOptions[]): Promise<string> {
  const applied = migrations.map((each) => [each.service, each.migrations.map(({ name }) => name)])
  const digest = createHash('sha256').update(JSON.stringify(applied)).digest('hex')
  const template = `template_${digest.slice(0, 16)}`
  const found = templates.get(template) ?? ensureTemplate(serverUrl, template, migrations)
  templates.set(template, found)
  return found
}

async function ensureTemplate(
  serverUrl: string,
  template: string,
  migrations: readonly MigrateOptions[],
): Promise<string> {
  const server = openDatabase({ url: serverUrl, maxConnections: 1, applicationName: 'floe-test' })
  try {
    await server.knex.raw('select pg_advisory_lock(?)', [TEMPLATE_LOCK])
    const found = await server.knex('pg_database').where({ datname: template }).first()
    if (!found) await buildTemplate(serverUrl, template, migrations)
    return template
  } finally {
    // Ends the lock with its connection.
    await server.close()
  }
}

async function buildTemplate(
  serverUrl: string,
  template: string,
  migrations: readonly MigrateOptions[],
): Promise<void> {
  const draft = `draft_${randomBytes(8).toString('hex')}`
  await runOnce(serverUrl, 'create database ??', [draft])
  const database = openDatabase({ url: urlOf(serverUrl, draft), maxConnections: 1 })
  try {
    for (const each of migrations) await migrate(database, each)
  } finally {
    await database.close()
  }
  await runOnce(serverUrl, 'alter database ?? rename to ??', [draft, template])
}

function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

async function runOnce(url: string, statement: string, names: string[]): Promise<void> {
  const database = openDatabase({ url, maxConnections: 1, applicationName: 'floe-test' })
  try {
    await database.knex.raw(statement, names)
  } finally {
    await database.close()
  }
}
