import { z } from 'zod'
import { recordedAuditEventSchema } from './audit.ts'
import { languageSchema } from './languages.ts'
import { happeningSchema } from './webhooks.ts'

const farewellSchema = z.object({
  userId: z.guid(),
  username: z.string(),
  email: z.string(),
  language: languageSchema.nullable(),
})
export type Farewell = z.infer<typeof farewellSchema>

/**
 * Domain events, written to the outbox in the transaction that makes them true. They carry ids
 * only, except for audit events and for what an id no longer leads to.
 */
export const eventSchemas = {
  /** An audit event, made by `recordAuditEvents`. Its name stands in outboxes of older releases. */
  'act.done': recordedAuditEventSchema,
  /** Something that webhooks may be told of. */
  'happening.recorded': happeningSchema,
  /** Deliveries of webhooks are due. */
  'webhook.owed': z.object({}),
  /** A webhook was turned off by what its receiver does; its owner is to be told. */
  'webhook.disabled': z.object({ webhookId: z.guid() }),
  'user.deleted': z.object({ userId: z.guid() }),
  /** An account was deleted whose user is to be told. */
  'farewell.owed': farewellSchema,
  /** An administrator approved an account, whose user is to be told. */
  'user.approved': z.object({ userId: z.guid() }),
  'user.invited': z.object({ userId: z.guid(), language: languageSchema.optional() }),
  /** Somebody asked for a new password; whether such an account exists is the job's to find out. */
  'password-reset.requested': z.object({ requestId: z.guid() }),
  /** Somebody gave the own account another address, which has to be confirmed. */
  'email-change.requested': z.object({ changeId: z.guid() }),
  /** Somebody has to show that the own address is theirs. */
  'email-verification.requested': z.object({ changeId: z.guid() }),
  'share.completed': z.object({ shareUid: z.guid(), shareId: z.string() }),
  'share.deleted': z.object({ shareUid: z.guid(), shareId: z.string() }),
  /** Somebody other than its owner began to download, once a minute at most. */
  'share.downloaded': z.object({ shareUid: z.guid() }),
  /** Somebody asked for a code that opens a share for its recipients; for the job to look at. */
  'share-code.requested': z.object({ requestId: z.guid() }),
  /** A message about a share became due. */
  'share-mail.owed': z.object({ mailId: z.guid() }),
  /** An administrator is to be told something about the installation. */
  'notice.owed': z.object({ mailId: z.guid(), userId: z.guid() }),
  'reverse-share.deleted': z.object({ reverseShareId: z.guid() }),
  /** Somebody wants Download all, or to know about it, and parts of it are not there yet. */
  'archive.requested': z.object({ shareUid: z.guid() }),
  /** Pictures of a share turned out to lack what tells whether they have a thumbnail. */
  'thumbnails.wanted': z.object({ shareUid: z.guid() }),
  /** The last transfer in one process of a share whose removal waits for it. */
  'share-transfers.ended': z.object({ shareUid: z.guid() }),
  /** Nothing of the share waits to be scanned any more. */
  'share.scanned': z.object({ shareUid: z.guid() }),
  /** Visitors do not see what was completed before it was scanned. */
  'share.held': z.object({ shareUid: z.guid() }),
  /** A virus was found in it. */
  'file.infected': z.object({ shareUid: z.guid(), fileId: z.guid() }),
  'upload.finished': z.object({ shareUid: z.guid(), fileId: z.guid() }),
} as const

export type EventName = keyof typeof eventSchemas
export type EventPayload<N extends EventName> = z.infer<(typeof eventSchemas)[N]>

export interface DomainEvent<N extends EventName = EventName> {
  name: N
  payload: EventPayload<N>
}
