import { join } from 'node:path'
import type { Environment } from '@floe/config'
import { type Database, migrate } from '@floe/db'
import { createDiskStore, type ObjectStore } from '@floe/storage'
import type { TransferMemory } from '@floe/transfer'
import type { Shutdown } from './shutdown.ts'

export interface OpenObjectsDependencies {
  database: Database
  /** That of all transfers; a command beside the services has its own. */
  memory?: TransferMemory
  shutdown: Shutdown
}

/** Where the objects are at rest, for the services and for the commands beside them. */
export async function openObjects(
  { s3, dataDirectory, sendfile }: Environment,
  { database, memory, shutdown }: OpenObjectsDependencies,
): Promise<ObjectStore> {
  if (s3 === null) {
    const directory = join(dataDirectory, 'objects')
    return createDiskStore({ directory, ...(sendfile !== null && { sendfile }) })
  }
  // It concerns later versions than the one installed here, and operators can do nothing about it.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'
  const { createS3Store, s3Migrations } = await import('@floe/storage/s3')
  await migrate(database, { service: 's3', migrations: s3Migrations })
  const store = createS3Store({ ...s3, database, ...(memory && { memory }) })
  shutdown.add('objects', () => store.close())
  await store.prepare()
  return store
}
