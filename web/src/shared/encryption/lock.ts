import { keyOfLink, type PasswordLock, type ShareKey } from '@floe/encryption'
import type { LockMessage, LockRequest } from './lock-worker.ts'

/** What a password and the key in a link make together; `null` where a link has no key. */
export async function lockOfLink(link: string, password: string): Promise<PasswordLock | null> {
  const key = keyOfLink(link)
  return key && lockInWorker(key.shareKey, password)
}

/** In a thread of its own, as it is made to take long. */
export function lockInWorker(shareKey: ShareKey, password: string): Promise<PasswordLock> {
  const worker = new Worker(new URL('./lock-worker.ts', import.meta.url), { type: 'module' })
  const locking = new Promise<PasswordLock>((resolve, reject) => {
    const fail = () => reject(new Error('This browser cannot use the password'))
    worker.addEventListener('message', ({ data: lock }: MessageEvent<LockMessage>) => {
      if (lock === null) fail()
      else resolve(lock)
    })
    worker.addEventListener('error', fail)
  })
  const request: LockRequest = { shareKey, password }
  worker.postMessage(request, [])
  return locking.finally(() => worker.terminate())
}
