import type { StoredFile } from '../domain/file-ports.ts'

export interface FileRow {
  id: string
  name: string
  size_bytes: number
  crc32: number
  sha256: Buffer | null
  object_key: string
  created_at: Date
}

/** The files of a share ($1) that one of its editions ($2) has. */
export const inEdition = `share_uid = $1 and added_edition <= $2::int
  and (removed_edition is null or removed_edition > $2::int)`

export const fileColumns = 'id, name, size_bytes, crc32, sha256, object_key, created_at'

export function toFile(row: FileRow): StoredFile {
  return {
    id: row.id,
    name: row.name,
    sizeBytes: row.size_bytes,
    crc32: row.crc32,
    sha256: row.sha256,
    objectKey: row.object_key,
    createdAt: row.created_at,
  }
}
