import { toLanguage, type Webhook, webhookSchema } from '@floe/contracts'
import type { DisabledWebhook } from './ports.ts'

export interface WebhookRow {
  id: string
  user_id: string
  scope: string
  url: string
  events: string[]
  format: string
  secret: Buffer
  previous_secret: Buffer | null
  previous_until: Date | null
  created_at: Date
  disabled_at: Date | null
  disabled_reason: string | null
  language: string | null
  owes_mail: boolean
}

export interface DeliveryRow {
  id: string
  webhook_id: string
  event_id: string
  happening: unknown
  created_at: Date
  state: string
  attempts: number
  next_attempt_at: Date | null
  last_attempt: object | null
}

export function toWebhook(row: WebhookRow): Webhook {
  return webhookSchema.parse({
    ...{ id: row.id, url: row.url, events: row.events, scope: row.scope, format: row.format },
    createdAt: row.created_at.toISOString(),
    disabledAt: row.disabled_at?.toISOString() ?? null,
    disabledReason: row.disabled_reason,
  })
}

/** `null` where it is on, or was turned off by its owner. */
export function toDisabled(row: WebhookRow): DisabledWebhook | null {
  const { id, url, scope, disabledReason: reason } = toWebhook(row)
  if (row.disabled_at === null || reason === null || reason === 'owner') return null
  const language = toLanguage(row.language)
  return { id, url, scope, userId: row.user_id, reason, disabledAt: row.disabled_at, language }
}
