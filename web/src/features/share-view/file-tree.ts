import { type SharedFile, type ThumbnailSize, visibleName } from '@floe/contracts'

export interface FileLeaf {
  id: string
  /** Without its folders, as people may see it. */
  name: string
  sizeBytes: number
  /** Null while it is being computed. */
  sha256: string | null
  /** Null for what is no picture, or one that is yet to be made smaller. */
  thumbnail: ThumbnailSize | null
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
export function buildTree(files: readonly SharedFile[]): Folder {
  const root = createFolder('', '')
  for (const { id, name, size, sha256 = null, thumbnail = null } of files) {
    const parts = name.split('/').filter((part) => part !== '')
    const fileName = parts.pop() ?? name
    const sizeBytes = Number(size)
    let folder = root
    count(folder, sizeBytes)
    for (const part of parts) {
      const path = folder.path === '' ? part : `${folder.path}/${part}`
      const next = folder.folders.get(part) ?? createFolder(visibleName(part), path)
      folder.folders.set(part, next)
      folder = next
      count(folder, sizeBytes)
    }
    folder.files.push({ id, name: visibleName(fileName), sizeBytes, sha256, thumbnail })
  }
  return root
}

function count(folder: Folder, sizeBytes: number) {
  folder.sizeBytes += sizeBytes
  folder.fileCount += 1
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
