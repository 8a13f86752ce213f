import type { PublicSettings } from '@floe/contracts'
import type { ManifestFile } from '@floe/encryption'
import type { HttpClient } from '../api/http-client.ts'
import { requestNotice } from '../notify.ts'
import type { DraftTerms } from '../share/draft-terms.ts'
import type { CompletedShare } from './complete-share.ts'
import { createShareEncryption, type ShareKeys } from './encrypted/share-encryption.ts'
import { announceLive } from './live-uploads.ts'
import { createTransferEngine } from './transfer-engine.ts'
import type { TransferEngine } from './transfer.ts'
import { createUploadJob, type JobOptions, type SentThrough, type UploadJob } from './upload-job.ts'
import type { UploadRegistry } from './upload-registry.ts'
import type { QueuedFile } from './upload-item.ts'
import { createUploadSession } from './upload-session.ts'

/** A file is begun at the latest after this, however much the page has to draw. */
const MOST_IDLE_WAIT_MS = 100

/** A page in the background draws nothing, and browsers let it wait for a second or more. */
function whenIdle(act: () => void): void {
  if (document.hidden || !('requestIdleCallback' in window)) act()
  else window.requestIdleCallback(act, { timeout: MOST_IDLE_WAIT_MS })
}

/**
 * Sends files into a share that takes uploads, remembering them until `finish` has succeeded.
 * Without `finish` it is a draft, which is shared when somebody says so.
 */
export function startJob({
  http,
  settings,
  registry,
  shareId,
  name,
  reverseShare = null,
  files,
  alreadySent,
  terms = null,
  finish,
  encrypted,
  reopened,
}: {
  http: HttpClient
  settings: Pick<PublicSettings, 'share.chunkSize'>
  registry: UploadRegistry
  shareId: string
  /** The share's. */
  name: string | null
  reverseShare?: SentThrough | null
  files: readonly QueuedFile[]
  alreadySent?: { count: number; bytes: number }
  terms?: DraftTerms | null
  finish?: () => Promise<CompletedShare>
  /** Of an encrypted share, with what an earlier visit sent of it. */
  encrypted?: { keys: ShareKeys; sentBefore?: readonly ManifestFile[] } | undefined
  /** For a share whose link was opened before. */
  reopened?: JobOptions['reopened']
}): UploadJob {
  requestNotice({ prepare: true })
  const share = { id: shareId }
  const live = announceLive(shareId)
  const engine = createTransferEngine(http, settings)
  const recorder = registry.recorder(share)
  const encryption = encrypted
    ? createShareEncryption({
        ...{ sentBefore: [], ...encrypted, share, engine },
        onState: recorder.recordSealed,
        onKeys: (keys) => registry.saveKeys(share.id, keys),
      })
    : null
  const session = createUploadSession({
    share,
    files,
    engine: endingWith(engine, () => encryption?.close(), live.end),
    recorder,
    ...(encryption && { seal: encryption.seal }),
    now: () => performance.now(),
    whenIdle,
    ...(alreadySent && { alreadySent }),
  })
  const onlyFile = files.length === 1 ? files[0]?.entry.name : undefined
  return createUploadJob({
    session,
    encryption,
    name: name ?? onlyFile ?? shareId,
    reverseShare,
    terms,
    ...(finish && { finish }),
    ...(reopened && { reopened }),
    onMoved(before, id) {
      void registry.move(before, id)
      live.move(id)
    },
    conclude: async (complete) => {
      await session.settled()
      await encryption?.sendManifest(session.entries())
      const receipt = await complete()
      await registry.remove(share.id)
      return receipt
    },
  })
}

function endingWith(engine: TransferEngine, ...ends: (() => void)[]): TransferEngine {
  return {
    ...engine,
    close() {
      engine.close()
      for (const end of ends) end()
    },
  }
}

/** Writes down what is about to be sent. The list comes first, so that even an early crash is found. */
export function rememberUpload({
  registry,
  shareId,
  name,
  reverseShare = null,
  keys,
  files,
}: {
  registry: UploadRegistry
  shareId: string
  name: string | null
  /** The link it is sent through. */
  reverseShare?: string | null
  /** Of an encrypted share. */
  keys?: ShareKeys | undefined
  files: readonly QueuedFile[]
}): Promise<void> {
  return registry.save({
    share: { shareId, name, reverseShare, createdAtMs: Date.now(), ...(keys && { keys }) },
    files: files.map(({ entry, url, fileId }) => ({
      shareId,
      fileId,
      key: entry.key,
      name: entry.name,
      relativePath: entry.relativePath,
      sizeBytes: entry.sizeBytes,
      url,
      offsetBytes: 0,
      isDone: false,
    })),
  })
}
