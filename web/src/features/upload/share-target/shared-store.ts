import type { Shared } from './read-shared.ts'

const DATABASE = 'floe-share-target'
const STORE = 'shared'
const LAST = 'last'

/** Somebody who did not come to take it within this time has forgotten it. */
const KEPT_MS = 60 * 60 * 1000

interface Kept extends Shared {
  keptAtMs: number
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('the database refused'))
  })
}

async function withStore<T>(act: (store: IDBObjectStore) => Promise<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
  const database = await settled(opening)
  try {
    const transaction = database.transaction(STORE, 'readwrite')
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error ?? new Error('the database gave up'))
    })
    const [result] = await Promise.all([act(transaction.objectStore(STORE)), done])
    return result
  } finally {
    database.close()
  }
}

/** Keeps the last thing shared, and nothing before it: who never looks must not fill the disk. */
export async function keepShared(shared: Shared): Promise<void> {
  const kept: Kept = { ...shared, keptAtMs: Date.now() }
  await withStore((store) => settled(store.put(kept, LAST)))
}

/** What was shared last, once; `null` when there is nothing. */
export function takeShared(): Promise<Shared | null> {
  return withStore(async (store) => {
    const kept = (await settled(store.get(LAST))) as Kept | undefined
    await settled(store.delete(LAST))
    return kept && Date.now() - kept.keptAtMs < KEPT_MS ? kept : null
  })
}
