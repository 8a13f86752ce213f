import type { ShareView } from '@floe/contracts'
import { openEncryptedShare, type ShareKey } from '@floe/encryption'
import { createReadStored } from './read-stored.ts'
import { startWorker } from './start-worker.ts'

export class NoWorkerError extends Error {
  override readonly name = 'NoWorkerError'

  constructor(cause: unknown) {
    super('the browser starts no service worker', { cause })
  }
}

/**
 * The share as it was before it was encrypted; its files are had from `encryptedAddresses`.
 *
 * @throws EncryptedShareError Where it is not whole, or the key that of another.
 * @throws NoWorkerError Where this browser lets no worker decrypt.
 */
export async function openInPage(share: ShareView, shareKey: ShareKey): Promise<ShareView> {
  const read = createReadStored(share.id)
  const [files] = await Promise.all([
    openEncryptedShare({ shareKey, stored: share.files, read }),
    startWorker().catch((cause: unknown) => Promise.reject(new NoWorkerError(cause))),
  ])
  return {
    ...share,
    size: files.reduce((sum, { size }) => sum + size, 0),
    files: files.map(({ storedId, name, size, sha256 }) => ({
      ...{ id: storedId, name, sha256 },
      size: String(size),
    })),
  }
}
