import type { FileEntry } from './file-entry.ts'

/** What travels of a file: as it was chosen, or its ciphertext under a name that says nothing. */
export interface Cargo {
  name: string
  /** Folder and name. */
  relativePath: string | null
  type: string
  sizeBytes: number
}

export function cargoOf({ sealed, file, name, relativePath, sizeBytes }: FileEntry): Cargo {
  if (!sealed) return { name, relativePath, type: file.type, sizeBytes }
  return { name: sealed.name, relativePath: null, type: '', sizeBytes: sealed.sizeBytes }
}
