import { randomBytes } from 'node:crypto'
import type { Secrets } from '@floe/secrets'

const PURPOSE = 'webhook'
const SECRET_BYTES = 32

/** Keys of signatures, as Standard Webhooks writes them, stored sealed for their webhook. */
export interface WebhookSecrets {
  make(): string
  seal(webhookId: string, secret: string): Buffer
  /** `null` where the key of the installation is another now. */
  open(webhookId: string, sealed: Buffer): string | null
}

export function createWebhookSecrets(secrets: Secrets): WebhookSecrets {
  return {
    make: () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`,
    seal: (id, secret) => secrets.seal(PURPOSE, id, secret),
    open: (id, sealed) => secrets.open(PURPOSE, id, sealed),
  }
}
