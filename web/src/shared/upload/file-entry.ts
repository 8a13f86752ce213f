import type { SealedFile } from './encrypted/sealed-file.ts'
import type { Prefix } from './prefix.ts'

/** A file somebody chose, with what tells it from every other file of the same choice. */
export interface FileEntry {
  /** Equal for the same unchanged file chosen again, after a reload too. */
  key: string
  file: File
  name: string
  /** Folder and file name, as in `photos/2026/a.jpg`; `null` for a file chosen on its own. */
  relativePath: string | null
  sizeBytes: number
  /** What was read of it to recognize it. */
  prefix?: Prefix
  /** What travels in its place, where its share is encrypted. */
  sealed?: SealedFile
}

export interface FileIdentity {
  name: string
  relativePath: string | null
  sizeBytes: number
  lastModified: number
}

export function fingerprint({ name, relativePath, sizeBytes, lastModified }: FileIdentity): string {
  return JSON.stringify([relativePath ?? name, sizeBytes, lastModified])
}

/** Pickers and drops each keep the folder in a place of their own. */
function relativePathOf(file: File): string | null {
  const dropped = 'path' in file && typeof file.path === 'string' ? file.path : ''
  const path = (file.webkitRelativePath || dropped).replace(/^\.?\/+/, '')
  return path.includes('/') ? path : null
}

export function toEntry(file: File): FileEntry {
  const relativePath = relativePathOf(file)
  const identity = {
    name: file.name,
    relativePath,
    sizeBytes: file.size,
    lastModified: file.lastModified,
  }
  return { key: fingerprint(identity), file, name: file.name, relativePath, sizeBytes: file.size }
}

/** What it is called in its share. */
export function labelOf({ relativePath, name }: Pick<FileEntry, 'relativePath' | 'name'>): string {
  return relativePath ?? name
}

/**
 * Adds files to a list; what is in it already stays once. Other files whose names are in use are
 * left out, and named.
 */
export function addEntries(
  list: readonly FileEntry[],
  added: readonly FileEntry[],
  takenNames: readonly string[] = [],
): { entries: FileEntry[]; refused: string[] } {
  const known = new Map<string, string | null>(takenNames.map((name) => [name, null]))
  for (const entry of list) known.set(labelOf(entry), entry.key)
  const entries = [...list]
  const refused: string[] = []
  for (const entry of added) {
    const label = labelOf(entry)
    const key = known.get(label)
    if (key === undefined) {
      known.set(label, entry.key)
      entries.push(entry)
    } else if (key !== entry.key) {
      refused.push(label)
    }
  }
  return { entries, refused }
}

export function totalSize(entries: readonly { sizeBytes: number }[]): number {
  return entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}
