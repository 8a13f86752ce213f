import { type OpenedFile, openEncryptedShare } from '@floe/encryption'
import { shareViewSchema } from '@floe/contracts'
import { paths } from '../../../shared/paths.ts'
import { parseAddress, type Wanted } from './addresses.ts'
import { respondWithArchive } from './archive-response.ts'
import { respondWithFile } from './decrypted-response.ts'
import { askForKey, CONTROL, type PageOfSite } from './messages.ts'
import { createReadStored } from './read-stored.ts'

/** The parts of the service worker's events and scope that are used here. */
interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent extends ExtendableEvent {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}
interface WorkerScope {
  skipWaiting(): Promise<void>
  clients: {
    claim(): Promise<void>
    matchAll(options: {
      type: 'window'
      includeUncontrolled: true
    }): Promise<readonly (PageOfSite & { url: string })[]>
  }
}
const scope = globalThis as typeof globalThis & WorkerScope

interface OpenShare {
  name: string
  /** By the server's ids. */
  files: ReadonlyMap<string, OpenedFile>
}

/** Forgotten with the worker, which browsers end when nothing happens: then the page is asked again. */
const shares = new Map<string, Promise<OpenShare | null>>()

/** `null` where no page has the share open. */
async function open(shareId: string): Promise<OpenShare | null> {
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const shareKey = await askForKey(
    pages.filter(({ url }) => isPageOf(url, shareId)),
    shareId,
  )
  if (shareKey === null) return null
  const response = await fetch(`/api/shares/${encodeURIComponent(shareId)}`)
  if (!response.ok) return null
  const share = shareViewSchema.parse(await response.json())
  const read = createReadStored(shareId)
  const files = await openEncryptedShare({ shareKey, stored: share.files, read })
  return {
    name: share.name ?? shareId,
    files: new Map(files.map((file) => [file.storedId, file])),
  }
}

function isPageOf(url: string, shareId: string): boolean {
  return new URL(url).pathname === paths.share(shareId)
}

function opened(shareId: string): Promise<OpenShare | null> {
  const known = shares.get(shareId)
  if (known) return known
  const opening = open(shareId).then(
    (share) => {
      if (share === null) shares.delete(shareId)
      return share
    },
    (error: unknown) => {
      shares.delete(shareId)
      throw error
    },
  )
  shares.set(shareId, opening)
  return opening
}

async function respondTo(request: Request, wanted: Wanted): Promise<Response> {
  const { shareId } = wanted
  const share = await opened(shareId)
  // The page says what is missing.
  if (share === null) return Response.redirect(paths.share(shareId), 303)
  if (wanted.kind === 'archive') {
    const { name, files } = share
    const archived = { shareId, name, files: [...files.values()], part: wanted.part }
    return respondWithArchive(request, archived)
  }
  const file = share.files.get(wanted.fileId)
  if (!file) return new Response(null, { status: 404 })
  return respondWithFile(request, { shareId, file, isShown: wanted.isShown })
}

// A version that comes while files are read takes over at once: it reads them as the one before.
addEventListener('install', () => void scope.skipWaiting())

addEventListener('message', (event) => {
  const message = event as MessageEvent & ExtendableEvent
  if (message.data === CONTROL) message.waitUntil(scope.clients.claim())
})

addEventListener('fetch', (event) => {
  const { request } = event as FetchEvent
  const url = new URL(request.url)
  const wanted = url.origin === location.origin ? parseAddress(url) : null
  if (wanted !== null) (event as FetchEvent).respondWith(respondTo(request, wanted))
})
