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

/** Adds files to a list; what is in it already stays once. */
export function addEntries(list: readonly FileEntry[], added: readonly FileEntry[]): FileEntry[] {
  const known = new Set(list.map(({ relativePath, name }) => relativePath ?? name))
  const result = [...list]
  for (const entry of added) {
    const label = entry.relativePath ?? entry.name
    if (known.has(label)) continue
    known.add(label)
    result.push(entry)
  }
  return result
}

export function totalSize(entries: readonly { sizeBytes: number }[]): number {
  return entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}
