import type { SealedState } from './encrypted/sealed-file.ts'
import type { ShareKeys } from './encrypted/share-encryption.ts'
import type { ShareRef } from './transfer.ts'
import type { ProgressRecorder } from './transfer-events.ts'

export interface StoredFile {
  shareId: string
  key: string
  /** What the server calls it if it is sent in a batch; absent from what an older page wrote. */
  fileId?: string
  name: string
  relativePath: string | null
  sizeBytes: number
  url: string | null
  offsetBytes: number
  isDone: boolean
  /** What was made of it, where its share is encrypted. */
  sealed?: SealedState
}

export interface StoredShare {
  shareId: string
  name: string | null
  /** The token of the link it is sent through. */
  reverseShare: string | null
  createdAtMs: number
  /** Of an encrypted share; they are in no other place. */
  keys?: ShareKeys
}

export interface StoredUpload {
  share: StoredShare
  files: StoredFile[]
}

/** Remembers unfinished uploads in this browser. Where it may not store, it remembers nothing. */
export interface UploadRegistry {
  save(upload: StoredUpload): Promise<void>
  list(): Promise<StoredUpload[]>
  remove(shareId: string): Promise<void>
  /** The share has another link. */
  move(shareId: string, newId: string): Promise<void>
  saveKeys(shareId: string, keys: ShareKeys): Promise<void>
  recorder(share: Readonly<ShareRef>): ProgressRecorder
}

const DATABASE = 'floe-uploads'
const OFFSET_EVERY_BYTES = 8_000_000

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

function open(factory: IDBFactory): Promise<IDBDatabase> {
  const request = factory.open(DATABASE, 1)
  request.onupgradeneeded = () => {
    request.result.createObjectStore('shares', { keyPath: 'shareId' })
    const files = request.result.createObjectStore('files', { keyPath: ['shareId', 'key'] })
    files.createIndex('shareId', 'shareId')
  }
  return settled(request)
}

export function createUploadRegistry({ indexedDB }: { indexedDB: IDBFactory }): UploadRegistry {
  // Private windows and full disks refuse the database; an upload then works without memory.
  const database = open(indexedDB).catch(() => null)

  async function inTransaction<T>(
    mode: IDBTransactionMode,
    fallback: T,
    act: (shares: IDBObjectStore, files: IDBObjectStore) => Promise<T>,
  ): Promise<T> {
    const db = await database
    if (!db) return fallback
    const transaction = db.transaction(['shares', 'files'], mode)
    return act(transaction.objectStore('shares'), transaction.objectStore('files')).catch(
      () => fallback,
    )
  }

  function write(shareId: string, changes: ReadonlyMap<string, Change>) {
    return inTransaction('readwrite', undefined, async (_shares, files) => {
      const writing = [...changes].map(async ([key, change]) => {
        if (change === 'removed') return settled(files.delete([shareId, key]))
        const file: unknown = await settled(files.get([shareId, key]))
        return isStoredFile(file) && settled(files.put({ ...file, ...change }))
      })
      await Promise.all(writing)
    })
  }

  return {
    save: ({ share, files: list }) =>
      inTransaction('readwrite', undefined, async (shares, files) => {
        shares.put(share)
        for (const file of list) files.put(file)
        await settled(shares.count())
      }),
    list: () =>
      inTransaction('readonly', [], async (shares, files) => {
        const [allShares, allFiles] = await Promise.all([
          settled<StoredShare[]>(shares.getAll()),
          settled<StoredFile[]>(files.getAll()),
        ])
        return allShares.map((share) => ({
          share,
          files: allFiles.filter(({ shareId }) => shareId === share.shareId),
        }))
      }),
    remove: (shareId) =>
      inTransaction('readwrite', undefined, async (shares, files) => {
        shares.delete(shareId)
        const keys = await settled(files.index('shareId').getAllKeys(shareId))
        for (const key of keys) files.delete(key)
      }),
    move: (shareId, newId) =>
      inTransaction('readwrite', undefined, (shares, files) =>
        moveShare(shares, files, [shareId, newId]),
      ),
    saveKeys: (shareId, keys) =>
      inTransaction('readwrite', undefined, (shares) => putKeys(shares, shareId, keys)),
    recorder(share) {
      const recorded = new Map<string, number>()
      const record = createWriteBuffer((changes) => write(share.id, changes))
      return {
        recordUrl: (key, url) => record(key, { url }),
        recordOffset(key, offsetBytes) {
          if (offsetBytes - (recorded.get(key) ?? 0) < OFFSET_EVERY_BYTES) return
          recorded.set(key, offsetBytes)
          record(key, { offsetBytes })
        },
        recordDone(key) {
          recorded.delete(key)
          record(key, { isDone: true })
        },
        recordSealed: (key, sealed) => record(key, { sealed }),
        recordRemoved: (key) => record(key, 'removed'),
      }
    },
  }
}

async function putKeys(shares: IDBObjectStore, shareId: string, keys: ShareKeys): Promise<void> {
  const share = await settled<StoredShare | undefined>(shares.get(shareId))
  if (share) await settled(shares.put({ ...share, keys }))
}

async function moveShare(
  shares: IDBObjectStore,
  files: IDBObjectStore,
  [shareId, newId]: [string, string],
): Promise<void> {
  const [share, list] = await Promise.all([
    settled<StoredShare | undefined>(shares.get(shareId)),
    settled<StoredFile[]>(files.index('shareId').getAll(shareId)),
  ])
  if (share === undefined) return
  shares.delete(shareId)
  shares.put({ ...share, shareId: newId })
  for (const file of list) {
    files.delete([shareId, file.key])
    files.put({ ...file, shareId: newId })
  }
}

type Change = Partial<StoredFile> | 'removed'

/** Writes the first change at once; those that come meanwhile go together into the next writing. */
function createWriteBuffer(write: (changes: ReadonlyMap<string, Change>) => Promise<unknown>) {
  let pending = new Map<string, Change>()
  let isWriting = false

  async function writeAll() {
    isWriting = true
    try {
      while (pending.size > 0) {
        const changes = pending
        pending = new Map()
        await write(changes)
      }
    } finally {
      isWriting = false
    }
  }

  return (key: string, change: Change) => {
    const earlier = pending.get(key)
    const isAddition = typeof earlier === 'object' && typeof change === 'object'
    pending.set(key, isAddition ? { ...earlier, ...change } : change)
    if (!isWriting) void writeAll()
  }
}

function isStoredFile(value: unknown): value is StoredFile {
  return typeof value === 'object' && value !== null && 'shareId' in value && 'key' in value
}
