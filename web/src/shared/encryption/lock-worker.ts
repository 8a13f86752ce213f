import { lockWithPassword, type PasswordLock, type ShareKey } from '@floe/encryption'

export interface LockRequest {
  shareKey: ShareKey
  password: string
}

/** `null` where there is no WebAssembly, or not enough memory. */
export type LockMessage = PasswordLock | null

const post = (message: LockMessage) => postMessage(message)

addEventListener('message', ({ data }: MessageEvent<LockRequest>) => {
  lockWithPassword(data.shareKey, data.password).then(post, () => post(null))
})
