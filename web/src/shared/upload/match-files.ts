import type { ComingFile, UnfinishedUpload } from '@floe/contracts'
import type { ShareKeys } from './encrypted/share-encryption.ts'
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
  /** Of an encrypted share that was begun here. */
  keys?: ShareKeys
  /** It is encrypted, and the browser that began it has its keys. */
  isLocked?: boolean
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
        ...(share.keys && { keys: share.keys }),
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

/** The shares that only the server knows of. */
export function remoteOnly(
  local: readonly StoredUpload[],
  remote: readonly UnfinishedUpload[],
): string[] {
  const known = new Set(local.map(({ share: { shareId } }) => shareId))
  return [...new Set(remote.map(({ shareId }) => shareId))].filter((id) => !known.has(id))
}

/** With the files that another browser announced and had not begun to send. */
export function withAnnounced(
  unfinished: Unfinished,
  coming: readonly ComingFile[] | undefined = [],
): Unfinished {
  const { shareId, files } = unfinished
  const labelOf = ({ name, relativePath, sizeBytes }: StoredFile) =>
    `${sizeBytes} ${relativePath ?? name}`
  const begun = new Set(files.map(labelOf))
  const announced = coming.map(({ name: path, size }): StoredFile => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const relativePath = path.includes('/') ? path : null
    const nothing = { url: null, offsetBytes: 0, isDone: false }
    return {
      shareId,
      key: `announced ${path}`,
      name,
      relativePath,
      ...nothing,
      sizeBytes: Number(size),
    }
  })
  return {
    ...unfinished,
    files: [...files, ...announced.filter((file) => !begun.has(labelOf(file)))],
  }
}

/** Finds among the files of one size the one that begins with what the server has of an upload. */
export type FindByContent = (
  url: string,
  candidates: readonly FileEntry[],
) => Promise<FileEntry | null>

export interface MatchedFiles {
  matched: QueuedFile[]
  missing: StoredFile[]
  /** Some have another name than the one their upload began with. */
  isRenamed: boolean
}

/**
 * Finds, for each file still missing, the same file among the chosen ones: by its name, and by its
 * content where another name or several files of its size leave a doubt.
 */
export async function matchFiles(
  unfinished: Unfinished,
  chosen: readonly FileEntry[],
  findByContent: FindByContent,
): Promise<MatchedFiles> {
  const pool = createPool(chosen)
  const result: MatchedFiles = { matched: [], missing: [], isRenamed: false }
  for (const stored of unfinished.files) {
    if (stored.isDone) continue
    const entry = await findFile(stored, pool, findByContent)
    if (!entry) {
      result.missing.push(stored)
      continue
    }
    pool.take(entry.key)
    const { key, url, relativePath, fileId = randomFileId(), sealed } = stored
    const name = baseName(stored)
    if (entry.name !== name) result.isRenamed = true
    // The server knows it by the name its upload began with.
    const queued = { entry: { ...entry, key, name, relativePath }, url, fileId }
    result.matched.push({ ...queued, ...(sealed && { sealed }) })
  }
  return result
}

async function findFile(
  stored: StoredFile,
  pool: Pool,
  findByContent: FindByContent,
): Promise<FileEntry | null> {
  const { key, url, sizeBytes } = stored
  const named = pool.named(stored)
  if (url === null || named?.key === key) return named
  const others = pool.ofSize(sizeBytes).filter((entry) => entry !== named)
  if (others.length === 0) return named
  const found = await findByContent(url, named ? [named, ...others] : others)
  // One that has the name and not the content is refused where it is continued.
  return found ?? named
}

type Pool = ReturnType<typeof createPool>

/** The chosen files that no upload has taken yet. */
function createPool(chosen: readonly FileEntry[]) {
  const byLabel = new Map<string, FileEntry[]>()
  const put = (label: string, entry: FileEntry) => {
    const list = byLabel.get(label)
    if (list) list.push(entry)
    else byLabel.set(label, [entry])
  }
  for (const entry of chosen) {
    for (const label of [sizeLabel(entry), ...labelsOf(entry)]) put(label, entry)
  }
  const taken = new Set<string>()
  const isFree = ({ key }: FileEntry) => !taken.has(key)

  return {
    take: (key: string) => void taken.add(key),
    /** The very same file, or one of the same path and size, or of the same name and size. */
    named(stored: StoredFile): FileEntry | null {
      for (const label of labelsOf({ ...stored, name: baseName(stored) })) {
        const entry = byLabel.get(label)?.find(isFree)
        if (entry) return entry
      }
      return null
    },
    ofSize: (sizeBytes: number) => (byLabel.get(sizeLabel({ sizeBytes })) ?? []).filter(isFree),
  }
}

const sizeLabel = ({ sizeBytes }: { sizeBytes: number }) => `size:${sizeBytes}`

function labelsOf({
  key,
  name,
  relativePath,
  sizeBytes,
}: Pick<FileEntry, 'key' | 'name' | 'relativePath' | 'sizeBytes'>): string[] {
  return [`key:${key}`, `path:${sizeBytes}:${relativePath ?? name}`, `name:${sizeBytes}:${name}`]
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
