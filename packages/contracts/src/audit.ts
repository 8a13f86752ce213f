import { z } from 'zod'

/** What the audit log tells about; codes stay as they are once released. */
export const auditActions = [
  'user.registered',
  'user.created',
  'user.updated',
  'user.approved',
  'user.promoted',
  'user.demoted',
  'user.password_set',
  'user.unlocked',
  'user.deleted',
  'user.data_exported',
  'sign_in.succeeded',
  'sign_in.failed',
  'password.changed',
  'password.reset',
  'totp.enabled',
  'totp.disabled',
  'totp.recovery_codes_created',
  'passkey.added',
  'passkey.removed',
  'social.linked',
  'social.unlinked',
  'session.ended',
  'session.all_ended',
  'session.token_reused',
  'token.created',
  'token.revoked',
  'share.opened',
  'share.edited',
  'share.deleted',
  'file.infected',
  'setting.changed',
  'mail.tested',
  'job.retried',
  'audit.exported',
] as const
export type AuditAction = (typeof auditActions)[number]

export const auditTargetTypes = [
  'user',
  'session',
  'token',
  'share',
  'setting',
  'mail',
  'job',
] as const

/**
 * Who acts, by which name at that time, and from where. Nobody (`null`) where the request did not
 * prove who it is from.
 */
export const actorSchema = z.object({
  id: z.guid().nullable(),
  name: z.string().nullable(),
  address: z.string(),
  userAgent: z.string(),
})
export type Actor = z.infer<typeof actorSchema>

const targetSchema = z.object({
  type: z.enum(auditTargetTypes),
  id: z.string().nullable(),
  name: z.string().nullable(),
})

/** Never a secret, and no value of a setting: names of what changed, and codes. */
const detailsSchema = z.record(z.string(), z.string())

/** What happened, as the service knows it that let it happen. */
export const auditEventSchema = z.object({
  action: z.enum(auditActions),
  actor: actorSchema,
  target: targetSchema.nullable(),
  details: detailsSchema.default({}),
})
export type AuditEvent = z.input<typeof auditEventSchema>

/** With its id, which makes recording repeatable, and the time of the database. */
export const recordedAuditEventSchema = auditEventSchema.extend({
  id: z.guid(),
  at: z.iso.datetime({ offset: true }),
})
export type RecordedAuditEvent = z.output<typeof recordedAuditEventSchema>

const momentSchema = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
const partSchema = z.string().trim().max(100).optional()

/** What narrows the log down; texts are found anywhere in a name or id. */
export const auditFilterSchema = z.object({
  actor: partSchema,
  action: z.enum(auditActions).optional(),
  target: partSchema,
  /** Inclusive. */
  from: momentSchema.optional(),
  /** Exclusive. */
  to: momentSchema.optional(),
})
export type AuditFilter = z.output<typeof auditFilterSchema>

export const auditQuerySchema = auditFilterSchema.extend({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  offset: z.coerce.number().int().min(0).max(1_000_000_000).default(0),
})
export type AuditQuery = z.output<typeof auditQuerySchema>

export const auditEntrySchema = z
  .object({
    id: z.guid(),
    at: z.iso.datetime(),
    action: z.string(),
    actor: z.object({
      id: z.guid().nullable(),
      name: z.string().nullable(),
      address: z.string(),
      userAgent: z.string(),
    }),
    target: z
      .object({ type: z.string(), id: z.string().nullable(), name: z.string().nullable() })
      .nullable(),
    details: detailsSchema,
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.infer<typeof auditEntrySchema>
