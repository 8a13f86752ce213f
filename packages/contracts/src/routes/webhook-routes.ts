import { z } from 'zod'
import { uuidSchema } from '../names.ts'
import {
  createWebhookSchema,
  replayedSchema,
  replaySinceSchema,
  updateWebhookSchema,
  webhookDeliverySchema,
  webhookSchema,
  webhookWithSecretSchema,
} from '../webhooks.ts'
import { defineRoute } from './route.ts'

const path = '/api/webhooks/:id'
const params = z.object({ id: uuidSchema })
const deliveryParams = params.extend({ deliveryId: uuidSchema })
const usual = { tag: 'Webhooks', access: 'user', scope: 'webhooks:write' } as const
const notFound = ['validation_failed', 'forbidden', 'webhook_not_found'] as const

/** Each user sees the own ones alone, administrators too. */
export const webhookRoutes = {
  createWebhook: defineRoute({
    ...usual,
    method: 'post',
    path: '/api/webhooks',
    summary:
      'Have an address told of events (Standard Webhooks); the secret is in this response alone',
    body: createWebhookSchema,
    status: 201,
    response: webhookWithSecretSchema,
    errors: ['validation_failed', 'forbidden', 'webhook_address', 'too_many_webhooks'],
  }),
  listWebhooks: defineRoute({
    ...usual,
    method: 'get',
    path: '/api/webhooks',
    summary: 'List your webhooks',
    status: 200,
    response: z.array(webhookSchema),
    errors: ['forbidden'],
  }),
  updateWebhook: defineRoute({
    ...usual,
    method: 'patch',
    path,
    summary: 'Change the address, events or format of a webhook, or turn it on or off',
    params,
    body: updateWebhookSchema,
    status: 200,
    response: webhookSchema,
    errors: [...notFound, 'webhook_address'],
  }),
  deleteWebhook: defineRoute({
    ...usual,
    method: 'delete',
    path,
    summary: 'Delete a webhook with its log',
    params,
    status: 204,
    response: null,
    errors: notFound,
  }),
  rotateWebhookSecret: defineRoute({
    ...usual,
    method: 'post',
    path: `${path}/rotate`,
    summary: 'Replace the secret of a webhook; for a day, messages are signed with both',
    params,
    status: 200,
    response: webhookWithSecretSchema,
    errors: notFound,
  }),
  testWebhook: defineRoute({
    ...usual,
    method: 'post',
    path: `${path}/test`,
    summary: 'Send the event `test` at once, and get how it went',
    params,
    status: 200,
    response: webhookDeliverySchema,
    errors: notFound,
  }),
  listWebhookDeliveries: defineRoute({
    ...usual,
    method: 'get',
    path: `${path}/deliveries`,
    summary: 'List the latest deliveries of a webhook, at most 100',
    params,
    status: 200,
    response: z.array(webhookDeliverySchema),
    errors: notFound,
  }),
  replayWebhookDelivery: defineRoute({
    ...usual,
    method: 'post',
    path: `${path}/deliveries/:deliveryId/replay`,
    summary: 'Send a delivery again, with the same id',
    params: deliveryParams,
    status: 202,
    response: null,
    errors: [...notFound, 'webhook_delivery_not_found'],
  }),
  replayWebhook: defineRoute({
    ...usual,
    method: 'post',
    path: `${path}/replay`,
    summary: 'Send all deliveries again that were made since a time',
    params,
    body: replaySinceSchema,
    status: 202,
    response: replayedSchema,
    errors: notFound,
  }),
}
