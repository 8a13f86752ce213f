import {
  type ContentKey,
  createContentKey,
  createShareKey,
  encodeKey,
  encryptManifest,
  linkWithKey,
  MANIFEST_NAME,
  type ManifestFile,
  parseKey,
  sealShareKey,
  segmentBytesWithin,
  type ShareKey,
} from '@floe/encryption'
import { randomFileId } from '../file-id.ts'
import { lockInWorker } from '../../encryption/lock.ts'
import { travelsInBatch } from '../batch-plan.ts'
import type { Terms } from '../complete-share.ts'
import { type FileEntry, toEntry } from '../file-entry.ts'
import type { ShareRef, StoredTransfer, TransferEngine, TransferEvents } from '../transfer.ts'
import type { QueuedFile } from '../upload-item.ts'
import { type SealedState, toSealedFile } from './sealed-file.ts'
import { createSealing } from './sealing.ts'

/** What a browser remembers of an encrypted share until it is ready. */
export interface ShareKeys {
  shareKey: string
  contentKey: string
  segmentBytes: number
  /** A manifest that is there, or on its way: another one takes its place. */
  manifest: Pick<StoredTransfer, 'fileId' | 'url'> | null
}

/** @param mostRequestBytes What a request may be at most, as far as is known. */
export function createShareKeys(mostRequestBytes: number): ShareKeys {
  const [shareKey, contentKey] = [encodeKey(createShareKey()), encodeKey(createContentKey())]
  const segmentBytes = segmentBytesWithin(mostRequestBytes)
  return { shareKey, contentKey, segmentBytes, manifest: null }
}

/**
 * What opens the share, for a receiver alone.
 *
 * @throws NotSupportedError In browsers without X25519.
 */
export function sealKeys(keys: ShareKeys, publicKey: string): Promise<string> {
  return sealShareKey(publicKey, readKeys(keys).shareKey)
}

/** Encrypts what is sent into a share, and lists it at the end. */
export interface ShareEncryption {
  keys(): ShareKeys
  /** With its ciphertext in its place. */
  seal(file: QueuedFile): QueuedFile
  /**
   * The terms of the share as the server may know them. Its password becomes part of what opens it.
   * Fails in browsers without WebAssembly.
   */
  lock(terms: Terms): Promise<Terms>
  /** The link with the key. */
  linkOf(link: string): string
  /** Sends what names all files, behind the last of them. Fails where one of them cannot be read. */
  sendManifest(entries: readonly FileEntry[]): Promise<void>
  close(): void
}

interface Options {
  keys: ShareKeys
  share: Readonly<ShareRef>
  engine: TransferEngine
  /** Files that an earlier visit sent. */
  sentBefore: readonly ManifestFile[]
  onState: (key: string, state: SealedState) => void
  onKeys: (keys: ShareKeys) => Promise<void>
}

export function createShareEncryption(options: Options): ShareEncryption {
  const { share, engine, sentBefore, onState } = options
  const sealing = createSealing()
  let keys = options.keys
  const { segmentBytes } = keys
  const { shareKey, contentKey } = readKeys(keys)
  let opening = { openingKey: shareKey, hasPassword: false }
  /** As it was sent last. */
  let sentText: string | null = null

  async function describe(entries: readonly FileEntry[]): Promise<ManifestFile[]> {
    const byName = new Map(sentBefore.map((file) => [file.name, file]))
    // One after another: what was not sent just now is read again.
    for (const { sealed } of entries) {
      const file = await sealed?.describe()
      if (file) byName.set(file.name, file)
    }
    return [...byName.values()]
  }

  function setKeys(next: ShareKeys): Promise<void> {
    keys = next
    return options.onKeys(keys)
  }

  function sendFile(file: File, fileId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const nothing = () => undefined
      const events: TransferEvents = {
        ...{ onCompared: nothing, onProgress: nothing, onRetry: nothing },
        onUrl: (url) => void setKeys({ ...keys, manifest: { fileId, url } }),
        onDone: resolve,
        onFailure: (reason) => reject(new Error(`The manifest is refused: ${reason}`)),
      }
      const sent = { entry: toEntry(file), share, fileId, url: null, events }
      if (travelsInBatch(sent)) engine.startBatch([sent])
      else engine.start(sent)
    })
  }

  return {
    keys: () => keys,
    seal(queued) {
      const { entry, sealed: known } = queued
      const sealed = toSealedFile({
        file: entry.file,
        name: entry.relativePath ?? entry.name,
        contentKey,
        segmentBytes,
        known,
        sealing,
        onState: (state) => onState(entry.key, state),
      })
      return { ...queued, entry: { ...entry, sealed } }
    },
    async lock(terms) {
      const { password } = terms.security ?? {}
      opening = { openingKey: shareKey, hasPassword: password !== undefined }
      if (password === undefined) return terms
      const { openingKey, gate } = await lockInWorker(shareKey, password)
      opening = { openingKey, hasPassword: true }
      return { ...terms, security: { ...terms.security, password: gate } }
    },
    linkOf: (link) => linkWithKey(link, shareKey, opening),
    async sendManifest(entries) {
      const files = await describe(entries)
      const { openingKey } = opening
      const text = encodeKey(openingKey) + JSON.stringify(files)
      if (text === sentText) return
      const bytes = new Uint8Array(await encryptManifest(openingKey, { contentKey, files }))
      const fileId = randomFileId()
      if (keys.manifest) await engine.remove({ share, ...keys.manifest })
      await setKeys({ ...keys, manifest: { fileId, url: null } })
      await sendFile(new File([bytes], MANIFEST_NAME), fileId)
      sentText = text
    },
    close: sealing.close,
  }
}

function readKeys(keys: ShareKeys): { shareKey: ShareKey; contentKey: ContentKey } {
  const [shareKey, contentKey] = [parseKey(keys.shareKey), parseKey(keys.contentKey)]
  if (shareKey === null || contentKey === null) throw new RangeError('What is stored is no key')
  return { shareKey, contentKey }
}
