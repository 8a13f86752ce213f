import type { Webhook, WebhookDelivery, WebhookFormat } from '@floe/contracts'

/** Names of services are the same everywhere; the other has a text. */
export const formatNames: Record<Exclude<WebhookFormat, 'slack'>, string> = {
  standard: 'Standard Webhooks',
  ntfy: 'ntfy',
  discord: 'Discord',
  matrix: 'Matrix',
}

export const deliveryStates = {
  waiting: 'webhooks.waiting',
  delivered: 'webhooks.delivered',
  failed: 'webhooks.failed',
} as const satisfies Record<WebhookDelivery['state'], string>

/** Whether anything is sent, and if not, why. */
export function stateText({ disabledAt, disabledReason }: Webhook) {
  if (disabledAt === null) return 'webhooks.on'
  if (disabledReason === 'gone') return 'webhooks.gone'
  return disabledReason === 'failing' ? 'webhooks.failing' : 'webhooks.off'
}

/** What a webhook is called: the host it leads to, which is never a secret. */
export function nameOf({ url }: Pick<Webhook, 'url'>): string {
  return new URL(url).host
}
