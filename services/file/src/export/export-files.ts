import { archivePaths } from '@floe/archive'
import type { Database } from '@floe/db'
import type { ShareEdition, StoredFile } from '../files/domain/file-ports.ts'
import { createFileListing } from '../files/stores/file-listing-rows.ts'

export interface FileToExport extends StoredFile {
  /** As in an archive of the share: below its folder, and no other file's, on every system. */
  path: string
}

/** The files of a share, ordered by name. */
export async function exportFiles(
  database: Pick<Database, 'query'>,
  share: ShareEdition,
): Promise<FileToExport[]> {
  const files = await createFileListing(database).list(share)
  const paths = archivePaths(files.map(({ name }) => name))
  return files.map((file, index) => ({ ...file, path: paths[index] ?? file.id }))
}
