import { join } from 'node:path'
import type { Environment } from '@floe/config'
import { createFileStore, type ObjectStore } from '@floe/storage'

/** Where the objects are at rest, for the services and for the check of them. */
export function openObjects({ dataDirectory }: Environment): ObjectStore {
  return createFileStore({ directory: join(dataDirectory, 'objects') })
}
