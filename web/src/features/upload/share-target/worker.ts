import { shareTargetPath } from './path.ts'
import { readShared } from './read-shared.ts'
import { keepShared } from './shared-store.ts'

/** The part of the service worker's event that is used here. */
interface FetchEvent extends Event {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}

/** Keeps what was shared and leads to the page that takes it. */
async function receive(request: Request): Promise<Response> {
  // What cannot be kept is missed on that page, which says so.
  await request
    .formData()
    .then((form) => keepShared(readShared(form)))
    .catch(() => undefined)
  return Response.redirect('/upload?shared', 303)
}

// Its scope is this one path. Whatever else it might be asked goes to the network untouched.
addEventListener('fetch', (event) => {
  const { request } = event as FetchEvent
  if (request.method !== 'POST' || new URL(request.url).pathname !== shareTargetPath) return
  ;(event as FetchEvent).respondWith(receive(request))
})
