import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startEmbeddedPostgres } from '@floe/db'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A server that exists only for this run; test files make their own databases on it. */
    databaseUrl: string
  }
}

/** One real PostgreSQL for the whole run, with nothing kept on disk afterwards. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'floe-test-'))
  const log = { info: () => undefined, warn: console.warn, error: console.error }
  const server = await startEmbeddedPostgres({
    dataDir,
    log,
    settings: {
      // Test data may be lost in a power cut.
      ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
      // Hundreds of small databases: all of it is looked through when one is dropped.
      shared_buffers: '32MB',
      autovacuum: 'off',
    },
  })
  project.provide('databaseUrl', server.url)
  return async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
