import { type AuthPort, webhookRoutes } from '@floe/contracts'
import { implement, type ImplementedRoute, requestLanguage } from '@floe/http'
import type { Webhooks } from '../webhooks/webhooks.ts'
import { requireUser } from './request.ts'

export function createWebhookRoutes({
  webhooks,
  auth,
}: {
  webhooks: Webhooks
  auth: AuthPort
}): ImplementedRoute[] {
  const signedIn = requireUser(auth)
  return [
    implement(webhookRoutes.createWebhook, signedIn, ({ body, req }, user) =>
      webhooks.create(user, { ...body, language: requestLanguage(req) }),
    ),
    implement(webhookRoutes.listWebhooks, signedIn, (_call, user) => webhooks.list(user)),
    implement(webhookRoutes.updateWebhook, signedIn, ({ params, body }, user) =>
      webhooks.update(user, params.id, body),
    ),
    implement(webhookRoutes.deleteWebhook, signedIn, ({ params }, user) =>
      webhooks.remove(user, params.id),
    ),
    implement(webhookRoutes.rotateWebhookSecret, signedIn, ({ params }, user) =>
      webhooks.rotate(user, params.id),
    ),
    implement(webhookRoutes.testWebhook, signedIn, ({ params }, user) =>
      webhooks.test(user, params.id),
    ),
    implement(webhookRoutes.listWebhookDeliveries, signedIn, ({ params }, user) =>
      webhooks.deliveries(user, params.id),
    ),
    implement(webhookRoutes.replayWebhookDelivery, signedIn, async ({ params }, user) => {
      await webhooks.replay(user, params.id, { deliveryId: params.deliveryId })
    }),
    implement(webhookRoutes.replayWebhook, signedIn, async ({ params, body }, user) => ({
      replayed: await webhooks.replay(user, params.id, { since: new Date(body.since) }),
    })),
  ]
}
