import {
  type ComingFile,
  type FileScan,
  pathParts,
  type SharedFile,
  type ThumbnailSize,
  visibleName,
} from '@floe/contracts'

export interface FileLeaf {
  id: string
  /** Without its folders, as people may see it. */
  name: string
  sizeBytes: number
  /** Null while it is being computed. */
  sha256: string | null
  /** Null for what is no picture, or one that is yet to be made smaller. */
  thumbnail: ThumbnailSize | null
  /** Bytes that have come of a file on its way; null for one that is there. */
  received: number | null
  /** Null where nothing is scanned for viruses, and of what is on its way. */
  scan: FileScan | null
}

export interface Folder {
  name: string
  path: string
  sizeBytes: number
  fileCount: number
  folders: Map<string, Folder>
  files: FileLeaf[]
}

function createFolder(name: string, path: string): Folder {
  return { name, path, sizeBytes: 0, fileCount: 0, folders: new Map(), files: [] }
}

/** Files carry their folders in their names, as in `photos/2026/a.jpg`. */
export function buildTree(
  files: readonly SharedFile[],
  coming: readonly ComingFile[] = [],
): Folder {
  const root = createFolder('', '')
  for (const { id, name, size, sha256 = null, thumbnail = null, scan = null } of files) {
    put(root, name, { id, sizeBytes: Number(size), sha256, thumbnail, received: null, scan })
  }
  const seen = new Map<string, number>()
  for (const { name, size, received } of coming) {
    const before = seen.get(name) ?? 0
    seen.set(name, before + 1)
    // No other id is known of it, nor could it be had by one.
    const id = `coming ${before} ${name}`
    const sizeBytes = Number(size)
    const nothing = { sha256: null, thumbnail: null, scan: null }
    put(root, name, { id, sizeBytes, received: Number(received), ...nothing })
  }
  return root
}

function put(root: Folder, name: string, leaf: Omit<FileLeaf, 'name'>): void {
  const parts = pathParts(name)
  const fileName = parts.pop() ?? name
  let folder = root
  count(folder, leaf.sizeBytes)
  for (const part of parts) {
    const path = folder.path === '' ? part : `${folder.path}/${part}`
    const next = folder.folders.get(part) ?? createFolder(visibleName(part), path)
    folder.folders.set(part, next)
    folder = next
    count(folder, leaf.sizeBytes)
  }
  folder.files.push({ ...leaf, name: visibleName(fileName) })
}

function count(folder: Folder, sizeBytes: number) {
  folder.sizeBytes += sizeBytes
  folder.fileCount += 1
}

/** Any file that lies in it, however deep; no folder is empty. */
export function anyFileIn({ files, folders }: Folder): FileLeaf | null {
  const [file] = files
  const [folder] = folders.values()
  return file ?? (folder ? anyFileIn(folder) : null)
}

/** The folders from the top down to `path`; stops where the path leaves the tree. */
export function foldersTo(root: Folder, path: string): Folder[] {
  const trail = [root]
  let folder = root
  for (const part of path.split('/')) {
    const next = folder.folders.get(part)
    if (!next) break
    trail.push(next)
    folder = next
  }
  return trail
}

/** Where to begin: an only folder opens by itself. */
export function openingFolder(folder: Folder): Folder {
  const [only, another] = folder.folders.values()
  const isOnly = only !== undefined && another === undefined && folder.files.length === 0
  return isOnly ? openingFolder(only) : folder
}

export interface Sorting {
  by: 'name' | 'size'
  descending: boolean
}

/** Sorts as people count: `file 2` before `file 10`. */
export function sortItems<T extends { name: string; sizeBytes: number }>(
  items: Iterable<T>,
  { by, descending }: Sorting,
  locale: string,
): T[] {
  const collator = new Intl.Collator(locale, { numeric: true })
  const direction = descending ? -1 : 1
  return [...items].sort(
    (a, b) =>
      direction * (by === 'name' ? collator.compare(a.name, b.name) : a.sizeBytes - b.sizeBytes),
  )
}
