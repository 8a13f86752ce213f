import {
  replayedSchema,
  type createWebhookSchema,
  type updateWebhookSchema,
  type Webhook,
  type WebhookDelivery,
  webhookDeliverySchema,
  webhookSchema,
  type WebhookWithSecret,
  webhookWithSecretSchema,
} from '@floe/contracts'
import { z } from 'zod'
import type { HttpClient } from '../api/http-client.ts'

export type NewWebhook = z.input<typeof createWebhookSchema>
export type WebhookChanges = z.input<typeof updateWebhookSchema>

const pathOf = (id: string) => `/api/webhooks/${id}`

/** The own ones, those of an administrator for the whole site among them. */
export function fetchWebhooks(http: HttpClient): Promise<Webhook[]> {
  return http.request({ method: 'GET', path: '/api/webhooks', response: z.array(webhookSchema) })
}

/** The secret is told here and never again. Throws `webhook_address`, `too_many_webhooks`. */
export function createWebhook(http: HttpClient, webhook: NewWebhook): Promise<WebhookWithSecret> {
  return http.request({
    method: 'POST',
    path: '/api/webhooks',
    body: webhook,
    response: webhookWithSecretSchema,
  })
}

/** Throws `webhook_address`, `webhook_not_found`. */
export function updateWebhook(
  http: HttpClient,
  id: string,
  changes: WebhookChanges,
): Promise<Webhook> {
  return http.request({
    method: 'PATCH',
    path: pathOf(id),
    body: changes,
    response: webhookSchema,
  })
}

/** With its log. Throws `webhook_not_found`. */
export function deleteWebhook(http: HttpClient, id: string): Promise<void> {
  return http.request({ method: 'DELETE', path: pathOf(id) })
}

/** The one before is good for another day. Throws `webhook_not_found`. */
export function rotateSecret(http: HttpClient, id: string): Promise<WebhookWithSecret> {
  return http.request({
    method: 'POST',
    path: `${pathOf(id)}/rotate`,
    response: webhookWithSecretSchema,
  })
}

/** Sends a message at once, and tells how it went. Throws `webhook_not_found`. */
export function testWebhook(http: HttpClient, id: string): Promise<WebhookDelivery> {
  return http.request({
    method: 'POST',
    path: `${pathOf(id)}/test`,
    response: webhookDeliverySchema,
  })
}

/** The newest first. Throws `webhook_not_found`. */
export function fetchDeliveries(http: HttpClient, id: string): Promise<WebhookDelivery[]> {
  return http.request({
    method: 'GET',
    path: `${pathOf(id)}/deliveries`,
    response: z.array(webhookDeliverySchema),
  })
}

/** Throws `webhook_not_found`, `webhook_delivery_not_found`. */
export function replayDelivery(http: HttpClient, id: string, deliveryId: string): Promise<void> {
  return http.request({ method: 'POST', path: `${pathOf(id)}/deliveries/${deliveryId}/replay` })
}

/** Sends all of them again that were made since then, and tells how many. */
export async function replaySince(http: HttpClient, id: string, since: Date): Promise<number> {
  const { replayed } = await http.request({
    method: 'POST',
    path: `${pathOf(id)}/replay`,
    body: { since: since.toISOString() },
    response: replayedSchema,
  })
  return replayed
}
