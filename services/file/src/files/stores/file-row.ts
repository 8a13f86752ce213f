import type { FileScan } from '@floe/contracts'
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

/** What a row of `withScans` tells besides; both are null where the file was not scanned. */
export interface ScanColumns {
  state: Exclude<FileScan['state'], 'not_scanned'> | null
  threat: string | null
}

/** Files with what is known of viruses in them: what reads their bytes for somebody has to ask. */
export const withScans = 'files left join file_scans using (share_uid, id)'

/** The files of a share ($1) that one of its editions ($2) has. */
export const inEdition = `share_uid = $1 and added_edition <= $2::int
  and (removed_edition is null or removed_edition > $2::int)`

export const fileColumns =
  'id, name, size_bytes, crc32, sha256, object_key, created_at, state, threat'

export function toFile(row: FileRow): Omit<StoredFile, 'scan'> {
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

export function toScannedFile(row: FileRow & ScanColumns): StoredFile {
  return { ...toFile(row), scan: toScan(row) }
}

export function toScan({ state, threat }: ScanColumns): FileScan {
  return { state: state ?? 'not_scanned', ...(threat !== null && { threat }) }
}
