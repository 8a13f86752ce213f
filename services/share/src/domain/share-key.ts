import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { SecretStore } from './ports.ts'

export type ShareKey = () => Promise<KeyObject>

const KEY_BYTES = 32

/** The key of visit tokens and visitor hashes: made once, the same in every process. */
export function createShareKey({ secrets }: { secrets: SecretStore }): ShareKey {
  let key: KeyObject | undefined
  return async () => {
    if (key === undefined) {
      const candidate = randomBytes(KEY_BYTES).toString('base64url')
      const value = await secrets.findOrInsert('visit-key', candidate)
      key = createSecretKey(Buffer.from(value, 'base64url'))
    }
    return key
  }
}
