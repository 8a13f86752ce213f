import type { UnfinishedUpload } from '@floe/contracts'
import type { FileEntry } from './file-entry.ts'
import { randomFileId } from './file-id.ts'
import type { QueuedFile } from './upload-item.ts'
import type { StoredFile, StoredUpload } from './upload-registry.ts'

/** An upload that was cut off: known to this browser, to the account, or to both. */
export interface Unfinished {
  shareId: string
  name: string | null
  /** The link it is sent through, as far as this browser knows. */
  reverseShare: string | null
  startedAtMs: number
  files: StoredFile[]
}

/** Joins what this browser remembers with what the server lists for the account. */
export function joinUnfinished(
  local: readonly StoredUpload[],
  remote: readonly UnfinishedUpload[],
): Unfinished[] {
  const joined = new Map<string, Unfinished>(
    local.map(({ share, files }) => [
      share.shareId,
      {
        shareId: share.shareId,
        name: share.name,
        reverseShare: share.reverseShare ?? null,
        startedAtMs: share.createdAtMs,
        files: files.map((file) => ({ ...file })),
      },
    ]),
  )
  const known = new Map<string, StoredFile>()
  for (const { shareId, files } of joined.values()) {
    for (const file of files) if (file.url !== null) known.set(placeOf(shareId, file.url), file)
  }
  for (const upload of remote) {
    const share = joined.get(upload.shareId) ?? {
      shareId: upload.shareId,
      name: null,
      reverseShare: null,
      startedAtMs: Date.parse(upload.createdAt),
      files: [],
    }
    joined.set(upload.shareId, share)
    const file = known.get(placeOf(upload.shareId, upload.url))
    if (file) file.offsetBytes = upload.offsetBytes
    else if (!local.some(({ share: { shareId } }) => shareId === upload.shareId)) {
      share.files.push(toStoredFile(upload))
    }
  }
  return [...joined.values()]
    .filter(({ files }) => files.length > 0)
    .sort((a, b) => b.startedAtMs - a.startedAtMs)
}

function toStoredFile(upload: UnfinishedUpload): StoredFile {
  return {
    shareId: upload.shareId,
    key: upload.url,
    name: upload.name,
    relativePath: upload.relativePath,
    sizeBytes: upload.sizeBytes ?? 0,
    url: upload.url,
    offsetBytes: upload.offsetBytes,
    isDone: false,
  }
}

// The browser stores full addresses, the server may send paths.
function placeOf(shareId: string, url: string): string {
  return `${shareId} ${new URL(url, 'http://x').pathname}`
}

/** Finds, for each file still missing, the same file among the chosen ones. */
export function matchFiles(
  unfinished: Unfinished,
  chosen: readonly FileEntry[],
): { matched: QueuedFile[]; missing: StoredFile[] } {
  const take = createFinder(chosen)
  const matched: QueuedFile[] = []
  const missing: StoredFile[] = []
  for (const stored of unfinished.files) {
    if (stored.isDone) continue
    const entry = take(stored)
    const { key, url, fileId = randomFileId() } = stored
    if (entry) matched.push({ entry: { ...entry, key }, url, fileId })
    else missing.push(stored)
  }
  return { matched, missing }
}

/** Prefers the very same file, then one of the same path and size, then of the same name and size. */
function createFinder(chosen: readonly FileEntry[]): (stored: StoredFile) => FileEntry | undefined {
  const byLabel = new Map<string, FileEntry[]>()
  const put = (label: string, entry: FileEntry) => {
    const list = byLabel.get(label)
    if (list) list.push(entry)
    else byLabel.set(label, [entry])
  }
  for (const entry of chosen) {
    put(`key:${entry.key}`, entry)
    put(`path:${entry.sizeBytes}:${entry.relativePath ?? entry.name}`, entry)
    put(`name:${entry.sizeBytes}:${entry.name}`, entry)
  }
  const taken = new Set<FileEntry>()
  return (stored) => {
    const labels = [
      `key:${stored.key}`,
      `path:${stored.sizeBytes}:${stored.relativePath ?? stored.name}`,
      `name:${stored.sizeBytes}:${baseName(stored)}`,
    ]
    for (const label of labels) {
      const entry = byLabel.get(label)?.find((candidate) => !taken.has(candidate))
      if (!entry) continue
      taken.add(entry)
      return entry
    }
    return undefined
  }
}

function baseName({ name }: StoredFile): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

/** The unfinished upload that every one of these files belongs to, if there is one. */
export function findUnfinishedOf(
  list: readonly Unfinished[],
  chosen: readonly FileEntry[],
): Unfinished | null {
  if (chosen.length === 0) return null
  return (
    list.find(({ files }) => {
      const open = new Set(files.filter(({ isDone }) => !isDone).map(({ key }) => key))
      return chosen.every(({ key }) => open.has(key))
    }) ?? null
  )
}
