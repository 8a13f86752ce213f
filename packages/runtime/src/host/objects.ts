import { join } from 'node:path'
import type { Environment } from '@floe/config'
import { type Database, migrateAll, type MigrateOptions } from '@floe/db'
import { createDiskStore, type ObjectStore } from '@floe/storage'
import type { TransferMemory } from '@floe/transfer'
import type { Shutdown } from './shutdown.ts'

export interface OpenObjectsDependencies {
  database: Database
  /** That of all transfers; a command beside the services has its own. */
  memory?: TransferMemory
  shutdown: Shutdown
}

/** Tables that objects need where they are at rest. */
export async function listObjectMigrations({
  s3,
}: Pick<Environment, 's3'>): Promise<MigrateOptions[]> {
  if (s3 === null) return []
  const { s3Migrations } = await import('@floe/storage/s3')
  return [{ service: 's3', migrations: s3Migrations }]
}

/** Where the objects are at rest, for a command beside the services. */
export async function openInstalledObjects(
  environment: Environment,
  dependencies: OpenObjectsDependencies,
): Promise<ObjectStore> {
  await migrateAll(dependencies.database, await listObjectMigrations(environment))
  return openObjects(environment, dependencies)
}

/** Where the objects are at rest. */
export async function openObjects(
  { s3, dataDirectory, sendfile }: Environment,
  { database, memory, shutdown }: OpenObjectsDependencies,
): Promise<ObjectStore> {
  if (s3 === null) {
    const directory = join(dataDirectory, 'objects')
    return createDiskStore({ directory, ...(sendfile !== null && { sendfile }) })
  }
  hideSdkNotice()
  const { createS3Store } = await import('@floe/storage/s3')
  const store = createS3Store({ ...s3, database, ...(memory && { memory }) })
  shutdown.add('objects', () => store.close())
  await store.prepare()
  return store
}

/** It concerns later versions than the one installed here, and operators can do nothing about it. */
export function hideSdkNotice(): void {
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'
}
