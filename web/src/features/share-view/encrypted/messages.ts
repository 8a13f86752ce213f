import { encodeKey, parseKey, type ShareKey } from '@floe/encryption'
import { z } from 'zod'

/** From the page to the worker: also what the page loads by itself shall be decrypted. */
export const CONTROL = 'control'
/** Keeps the worker from being ended in the middle of a download. */
const STAY = 'stay'
/** From the worker to the page, with a port for the key of this share. */
const keyWantedSchema = z.object({ keyOf: z.string() })

/** A page that does not respond is on its way out. */
const PATIENCE_MS = 5000

/** What the worker sees of it. */
export interface PageOfSite {
  postMessage(message: unknown, transfer: Transferable[]): void
}

/** The key of a share from one of the pages that have it open; `null` where none has. */
export async function askForKey(
  pages: readonly PageOfSite[],
  shareId: string,
): Promise<ShareKey | null> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const keys = pages.map((page) => askPage(page, shareId, signal))
  return parseKey(await Promise.any(keys).catch(() => ''))
}

function askPage(page: PageOfSite, shareId: string, signal: AbortSignal): Promise<string> {
  const { port1, port2 } = new MessageChannel()
  return new Promise<string>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('no response')))
    port1.onmessage = ({ data }) => resolve(z.string().parse(data))
    page.postMessage({ keyOf: shareId } satisfies z.infer<typeof keyWantedSchema>, [port2])
  }).finally(() => port1.close())
}

/** Often enough for every browser, which end a worker after half a minute of quiet. */
const STAY_EVERY_MS = 10_000

/** Gives the worker the key whenever it asks, and keeps it from being ended. Returns how to stop. */
export function serveWorker(
  container: ServiceWorkerContainer,
  { shareId, shareKey }: { shareId: string; shareKey: ShareKey },
): () => void {
  const respond = ({ data, ports }: MessageEvent) => {
    if (keyWantedSchema.safeParse(data).data?.keyOf === shareId) {
      ports[0]?.postMessage(encodeKey(shareKey))
    }
  }
  container.addEventListener('message', respond)
  container.startMessages()
  const staying = setInterval(() => container.controller?.postMessage(STAY), STAY_EVERY_MS)
  return () => {
    container.removeEventListener('message', respond)
    clearInterval(staying)
  }
}
