import {
  createRequestLimit,
  type FoundLimit,
  readFoundLimit,
  type RequestLimit,
} from '@floe/contracts'

const KEY = 'floe-request-limit'

/** What a request may be at most on its way to this server, remembered from visit to visit. */
export interface RememberedLimit extends RequestLimit {
  /** A file has arrived: what was found out is true, and is remembered. */
  confirm(): void
}

export function createRememberedLimit({
  storage,
  now,
  mostBytes = Infinity,
}: {
  storage: Pick<Storage, 'getItem' | 'setItem'>
  now: () => number
  mostBytes?: number
}): RememberedLimit {
  const limit = createRequestLimit(Math.min(mostBytes, readFoundLimit(readKept(storage), now())))
  let confirmedBytes = limit.bytes()
  return {
    ...limit,
    confirm() {
      if (limit.bytes() === confirmedBytes) return
      confirmedBytes = limit.bytes()
      const found: FoundLimit = { bytes: confirmedBytes, foundAt: now() }
      try {
        storage.setItem(KEY, JSON.stringify(found))
      } catch {
        // A page that may not store finds out anew next time.
      }
    },
  }
}

function readKept(storage: Pick<Storage, 'getItem'>): unknown {
  try {
    return JSON.parse(storage.getItem(KEY) ?? 'null')
  } catch {
    return null
  }
}
