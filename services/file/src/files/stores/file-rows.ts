import type { Database } from '@floe/db'
import type { FileStore } from '../domain/file-ports.ts'
import { createFileDigests } from './file-digest-rows.ts'
import { createFileEdits } from './file-edit-rows.ts'
import { createFileListing } from './file-listing-rows.ts'
import { createFilePurges } from './file-purge-rows.ts'
import { createFileSizes } from './file-sizes-rows.ts'
import { createShareFiles } from './share-file-rows.ts'

export function createFileRows(database: Pick<Database, 'knex' | 'query'>): FileStore {
  return {
    ...createFileListing(database),
    ...createFileSizes(database),
    ...createFileEdits(database),
    ...createFilePurges(database),
    ...createFileDigests(database),
    ...createShareFiles(database),
  }
}
