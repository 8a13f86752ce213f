import { z } from 'zod'

/** What webhooks of users may be told: it happens to their own shares. */
export const shareWebhookEvents = [
  'share.completed',
  'share.opened',
  'share.downloaded',
  'share.expired',
  'share.deleted',
  'request.received',
  'upload.failed',
  'file.infected',
] as const

/** What those of the whole installation may be told, too. */
export const instanceWebhookEvents = [
  'user.created',
  'user.deleted',
  'storage.almost_full',
  'job.failed',
] as const

export const webhookEvents = [...shareWebhookEvents, ...instanceWebhookEvents] as const
export type WebhookEvent = (typeof webhookEvents)[number]
export const webhookEventSchema = z.enum(webhookEvents)

/** What is sent to try a webhook. */
export const TEST_EVENT = 'test'

/** `own`: what happens to one's own shares; `instance`, for administrators: to all. */
export const webhookScopeSchema = z.enum(['own', 'instance'])
export type WebhookScope = z.infer<typeof webhookScopeSchema>

/** What is sent: the body of Standard Webhooks, or a message for a service. */
export const webhookFormats = ['standard', 'ntfy', 'discord', 'slack', 'matrix'] as const
export type WebhookFormat = (typeof webhookFormats)[number]
export const webhookFormatSchema = z.enum(webhookFormats)

/** Of one user. */
export const MOST_WEBHOOKS = 20

const urlSchema = z
  .string()
  .max(2000)
  .refine((text) => {
    if (!URL.canParse(text)) return false
    const { protocol, username, password } = new URL(text)
    return /^https?:$/.test(protocol) && username === '' && password === ''
  }, 'must be an http or https address without a password')

const eventsSchema = z
  .array(webhookEventSchema)
  .min(1)
  .transform((events) => webhookEvents.filter((event) => events.includes(event)))

export const createWebhookSchema = z.object({
  url: urlSchema,
  events: eventsSchema,
  scope: webhookScopeSchema.default('own'),
  format: webhookFormatSchema.default('standard'),
})
export type CreateWebhookInput = z.output<typeof createWebhookSchema>

/** What is absent stays. `enabled: true` turns a webhook on again that failed too often. */
export const updateWebhookSchema = z.object({
  url: urlSchema.optional(),
  events: eventsSchema.optional(),
  format: webhookFormatSchema.optional(),
  enabled: z.boolean().optional(),
})
export type UpdateWebhookInput = z.output<typeof updateWebhookSchema>

/** Why a webhook is off: by its owner, by the receiver (410), or after three days of failures. */
export const webhookDisabledReasonSchema = z.enum(['owner', 'gone', 'failing'])
export type WebhookDisabledReason = z.infer<typeof webhookDisabledReasonSchema>

export const webhookSchema = z
  .object({
    id: z.guid(),
    url: z.string(),
    events: z.array(webhookEventSchema),
    scope: webhookScopeSchema,
    format: webhookFormatSchema,
    createdAt: z.string(),
    disabledAt: z.string().nullable(),
    disabledReason: webhookDisabledReasonSchema.nullable(),
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.output<typeof webhookSchema>

/** The only time that the secret is told (`whsec_…`). */
export const webhookWithSecretSchema = webhookSchema
  .extend({ secret: z.string() })
  .meta({ id: 'WebhookWithSecret' })
export type WebhookWithSecret = z.output<typeof webhookWithSecretSchema>

export const webhookDeliverySchema = z
  .object({
    id: z.guid(),
    /** Of the event: the header `webhook-id`, the same for each attempt. */
    eventId: z.guid(),
    event: z.string(),
    createdAt: z.string(),
    /** `waiting` for its next attempt; `failed` once there is none. */
    state: z.enum(['waiting', 'delivered', 'failed']),
    attempts: z.number(),
    nextAttemptAt: z.string().nullable(),
    /** Of the last attempt, `null` before. */
    lastAttempt: z
      .object({
        at: z.string(),
        milliseconds: z.number(),
        /** `null` where none came; then `error` says why. */
        status: z.number().nullable(),
        error: z.string().nullable(),
        /** The beginning of what was responded. */
        response: z.string(),
      })
      .nullable(),
    /** What was, or will be, sent. */
    request: z.string(),
  })
  .meta({ id: 'WebhookDelivery' })
export type WebhookDelivery = z.output<typeof webhookDeliverySchema>

export const replaySinceSchema = z.object({ since: z.iso.datetime({ offset: true }) })
export const replayedSchema = z.object({ replayed: z.number() }).meta({ id: 'ReplayedWebhooks' })

/** Something that happened, as it stands in the outbox: thin, without secrets. */
export const happeningSchema = z.object({
  /** Made with the fact: what is told twice has one id. */
  id: z.guid(),
  type: z.enum([...webhookEvents, TEST_EVENT]),
  at: z.iso.datetime({ offset: true }),
  /** Whose share it is; `null` for nobody's. */
  ownerId: z.guid().nullable(),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})
export type Happening = z.output<typeof happeningSchema>
