import type { Webhook, WebhookEvent, WebhookFormat, WebhookScope } from '@floe/contracts'
import type { NewWebhook, WebhookChanges } from './webhooks.ts'

/** What the dialog of a webhook holds. */
export interface WebhookValues {
  url: string
  format: WebhookFormat
  events: WebhookEvent[]
  isOn: boolean
}

/** A new one proposes what most people wait for. */
export function firstValues(webhook: Webhook | null): WebhookValues {
  return {
    url: webhook?.url ?? '',
    format: webhook?.format ?? 'standard',
    events: webhook?.events ?? ['share.downloaded', 'request.received'],
    isOn: webhook === null || webhook.disabledAt === null,
  }
}

export function toNewWebhook(values: WebhookValues, scope: WebhookScope): NewWebhook {
  const { url, format, events } = values
  return { url: url.trim(), format, events, scope }
}

export function toChanges({ url, format, events, isOn }: WebhookValues): WebhookChanges {
  return { url: url.trim(), format, events, enabled: isOn }
}

/** A time as fields of the browser have it, in its own zone: `2026-11-27T09:05`. */
export function toLocalTime(date: Date): string {
  const digits = (number: number) => String(number).padStart(2, '0')
  const day = [date.getFullYear(), digits(date.getMonth() + 1), digits(date.getDate())].join('-')
  return `${day}T${digits(date.getHours())}:${digits(date.getMinutes())}`
}

/** JSON over several lines, and what is none as it is. */
export function toLines(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
