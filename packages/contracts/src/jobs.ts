import { z } from 'zod'
import { recordedAuditEventSchema } from './audit.ts'
import { type EventName, type EventPayload, eventSchemas } from './events.ts'
import { languageSchema } from './languages.ts'
import { happeningSchema } from './webhooks.ts'

/**
 * A job's contract: what it is called, what it carries, how often it is tried.
 * `from` builds the payload for each event that enqueues it; `key` makes equal work one job.
 */
export interface JobContract<P extends z.ZodType = z.ZodType> {
  name: string
  schema: P
  attempts: number
  /** First delay of an exponential back-off. */
  backoffMs: number
  /** Where the back-off stops growing; an hour unless said otherwise. */
  maxBackoffMs?: number
  /** Runs by itself this often; also once soon after a start when `atStart` is set. */
  everyMs?: number
  atStart?: boolean
  /** Equal keys waiting at the same time are one job. */
  key?: (payload: z.infer<P>) => string
}

export type JobPayload<J extends JobContract> = z.infer<J['schema']>

function defineJob<P extends z.ZodType>(contract: JobContract<P>): JobContract<P> {
  return contract
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const nothing = z.object({})

/** A mail server that is away may stay away for a day; once back it is found within a minute. */
const mailRetries = { attempts: 24 * 60, backoffMs: 1_000, maxBackoffMs: minuteMs }

export const jobs = {
  /** Writes one event into the audit log, once however often it runs. */
  recordAuditEvent: defineJob({
    name: 'record-act',
    schema: recordedAuditEventSchema,
    attempts: 24 * 60,
    backoffMs: 1_000,
    maxBackoffMs: minuteMs,
  }),
  /** Owes what happened to each webhook that wants it, once however often it runs. */
  recordHappening: defineJob({
    name: 'owe-webhooks',
    schema: happeningSchema,
    attempts: 24 * 60,
    backoffMs: 1_000,
    maxBackoffMs: minuteMs,
  }),
  /** Sends what is due; the schedule of retries is in the database. */
  sendWebhooks: defineJob({
    name: 'send-webhooks',
    schema: nothing,
    attempts: 1,
    backoffMs: 5_000,
    everyMs: 5_000,
    atStart: true,
    key: () => 'due',
  }),
  /** Tells the owner of a webhook that it is off, unless it is on again. */
  sendWebhookMail: defineJob({
    name: 'send-webhook-mail',
    schema: z.object({ webhookId: z.guid() }),
    ...mailRetries,
    key: ({ webhookId }) => webhookId,
  }),
  /** Records today's metrics for the overview: the last run of a day counts. */
  recordMetrics: defineJob({
    name: 'note-figures',
    schema: nothing,
    attempts: 3,
    backoffMs: 5_000,
    everyMs: hourMs,
    atStart: true,
  }),
  /** Entries of the audit log older than the configured days. */
  purgeAudit: defineJob({
    name: 'purge-audit',
    schema: nothing,
    attempts: 3,
    backoffMs: 5_000,
    everyMs: hourMs,
    atStart: true,
  }),
  /** Finds what administrators have not been told of yet, and owes each of them a message. */
  findNotices: defineJob({
    name: 'find-notices',
    schema: nothing,
    attempts: 3,
    backoffMs: 5_000,
    everyMs: hourMs,
    atStart: true,
  }),
  /** Sends one administrator one message, unless it is no longer wanted. */
  sendNotice: defineJob({
    name: 'send-notice',
    schema: z.object({ mailId: z.guid(), userId: z.guid() }),
    ...mailRetries,
    key: ({ mailId, userId }) => `${mailId}/${userId}`,
  }),
  /** Makes the one-time token and sends it; ends silently where no account has that address. */
  sendPasswordReset: defineJob({
    name: 'send-password-reset',
    schema: z.object({ requestId: z.guid() }),
    ...mailRetries,
    key: ({ requestId }) => requestId,
  }),
  sendInvite: defineJob({
    name: 'send-invite',
    schema: z.object({ userId: z.guid(), language: languageSchema.optional() }),
    ...mailRetries,
    key: ({ userId }) => userId,
  }),
  sendApproval: defineJob({
    name: 'send-approval',
    schema: z.object({ userId: z.guid() }),
    ...mailRetries,
    key: ({ userId }) => userId,
  }),
  sendFarewell: defineJob({
    name: 'send-farewell',
    schema: eventSchemas['farewell.owed'],
    ...mailRetries,
    key: ({ userId }) => userId,
  }),
  /** Tells the address so far that another one is to take its place. */
  sendEmailChangeNotice: defineJob({
    name: 'send-email-change-notice',
    schema: z.object({ changeId: z.guid() }),
    ...mailRetries,
    key: ({ changeId }) => changeId,
  }),
  /** Makes the one-time token and sends it to the new address, unless the change is over by now. */
  sendEmailChangeLink: defineJob({
    name: 'send-email-change-link',
    schema: z.object({ changeId: z.guid() }),
    ...mailRetries,
    key: ({ changeId }) => changeId,
  }),
  /** Sends one message about a share, unless it was sent or is no longer wanted. */
  sendShareMail: defineJob({
    name: 'send-share-mail',
    schema: z.object({ mailId: z.guid() }),
    ...mailRetries,
    key: ({ mailId }) => mailId,
  }),
  /** Makes the code and sends it; ends silently where no recipient has that address. */
  sendShareCode: defineJob({
    name: 'send-share-code',
    schema: z.object({ requestId: z.guid() }),
    ...mailRetries,
    key: ({ requestId }) => requestId,
  }),
  noteShareDownload: defineJob({
    name: 'note-share-download',
    schema: z.object({ shareUid: z.guid() }),
    attempts: 20,
    backoffMs: 1_000,
    key: ({ shareUid }) => shareUid,
  }),
  /** A day before the end of shares that nobody downloaded. */
  remindShareOwners: defineJob({
    name: 'remind-share-owners',
    schema: nothing,
    attempts: 3,
    backoffMs: 5_000,
    everyMs: 10 * minuteMs,
    atStart: true,
  }),
  /**
   * Deletes what a share left in the file service: rows, uploads, objects. Does nothing while a
   * transfer that began before still reads them; its end asks again.
   */
  deleteShareFiles: defineJob({
    name: 'delete-share-files',
    schema: z.object({ shareUid: z.guid() }),
    attempts: 20,
    backoffMs: 1_000,
    key: ({ shareUid }) => shareUid,
  }),
  /** SHA-256 of every file of a share that has none yet; fails if bytes and CRC-32 disagree. */
  hashShareFiles: defineJob({
    name: 'hash-share-files',
    schema: z.object({ shareUid: z.guid() }),
    attempts: 10,
    backoffMs: 2_000,
    key: ({ shareUid }) => shareUid,
  }),
  /**
   * Deflates what Download all of a share still lacks at the configured level. The queue of
   * segments is in the database: a run takes along what other shares wait for.
   */
  buildSegments: defineJob({
    name: 'build-segments',
    schema: z.object({ shareUid: z.guid() }),
    attempts: 10,
    backoffMs: 2_000,
    key: ({ shareUid }) => shareUid,
  }),
  /**
   * Puts the pictures of a share in line for their thumbnails. The queue of pictures is in the
   * database: a run takes along what other shares wait for.
   */
  makeThumbnails: defineJob({
    name: 'make-thumbnails',
    schema: z.object({ shareUid: z.guid() }),
    attempts: 10,
    backoffMs: 2_000,
    key: ({ shareUid }) => shareUid,
  }),
  /** Asks the virus scanner about what of a share was not scanned, where there is a scanner. */
  scanShareFiles: defineJob({
    name: 'scan-share-files',
    schema: z.object({ shareUid: z.guid() }),
    // What could not be scanned is taken by the schedule of the other one.
    attempts: 1,
    backoffMs: 2_000,
    key: ({ shareUid }) => shareUid,
  }),
  /** The same for all shares: what was there before the scanner, and what it could not be asked about. */
  scanWaitingFiles: defineJob({
    name: 'scan-waiting-files',
    schema: nothing,
    attempts: 1,
    backoffMs: 2_000,
    everyMs: 30_000,
    atStart: true,
    key: () => 'waiting',
  }),
  /** Opens shares that were held until their files were scanned, and owes what is told of them. */
  openScannedShares: defineJob({
    name: 'open-scanned-shares',
    schema: nothing,
    attempts: 5,
    backoffMs: 1_000,
    // Settings may have changed, or the scanner been taken away.
    everyMs: 30_000,
    atStart: true,
    key: () => 'held',
  }),
  /** Owes the owner of a share a message about an infected file, and records it in the audit log. */
  tellInfected: defineJob({
    name: 'tell-infected',
    schema: z.object({ shareUid: z.guid(), fileId: z.guid() }),
    attempts: 20,
    backoffMs: 1_000,
    key: ({ fileId }) => fileId,
  }),
  deleteUserShares: defineJob({
    name: 'delete-user-shares',
    schema: z.object({ userId: z.guid() }),
    attempts: 20,
    backoffMs: 1_000,
    key: ({ userId }) => userId,
  }),
  /** Expired shares, shares never completed for a day, and expired reverse shares. */
  expireShares: defineJob({
    name: 'expire-shares',
    schema: nothing,
    attempts: 3,
    backoffMs: 1_000,
    everyMs: minuteMs,
    atStart: true,
  }),
  expireUploads: defineJob({
    name: 'expire-uploads',
    schema: nothing,
    attempts: 3,
    backoffMs: 1_000,
    everyMs: 10 * minuteMs,
    atStart: true,
  }),
  /** Removed files an hour after their removal was published: downloads begun before still read. */
  purgeRemovedFiles: defineJob({
    name: 'purge-removed-files',
    schema: nothing,
    attempts: 3,
    backoffMs: 1_000,
    everyMs: 10 * minuteMs,
    atStart: true,
  }),
  purgeTokens: defineJob({
    name: 'purge-tokens',
    schema: nothing,
    attempts: 3,
    backoffMs: 1_000,
    everyMs: hourMs,
  }),
  /** Compares objects with rows, both ways. */
  reconcileObjects: defineJob({
    name: 'reconcile-objects',
    schema: nothing,
    attempts: 3,
    backoffMs: 5_000,
    everyMs: hourMs,
    atStart: true,
  }),
} as const

export type JobName = (typeof jobs)[keyof typeof jobs]['name']

/** Which job an event asks for. A reaction lives here so that the relay loads no service. */
export type EventReaction<N extends EventName = EventName> = {
  event: N
  job: JobContract
  payload: (event: EventPayload<N>) => unknown
}

function react<N extends EventName, J extends JobContract>(
  event: N,
  job: J,
  payload: (event: EventPayload<N>) => JobPayload<J>,
): EventReaction<N> {
  return { event, job, payload }
}

export const reactions = [
  react('act.done', jobs.recordAuditEvent, (auditEvent) => auditEvent),
  react('happening.recorded', jobs.recordHappening, (happening) => happening),
  react('webhook.owed', jobs.sendWebhooks, () => ({})),
  react('webhook.disabled', jobs.sendWebhookMail, ({ webhookId }) => ({ webhookId })),
  react('user.invited', jobs.sendInvite, (invitation) => invitation),
  react('farewell.owed', jobs.sendFarewell, (farewell) => farewell),
  react('user.approved', jobs.sendApproval, (approval) => approval),
  react('password-reset.requested', jobs.sendPasswordReset, ({ requestId }) => ({ requestId })),
  react('email-change.requested', jobs.sendEmailChangeNotice, ({ changeId }) => ({ changeId })),
  react('email-change.requested', jobs.sendEmailChangeLink, ({ changeId }) => ({ changeId })),
  react('email-verification.requested', jobs.sendEmailChangeLink, ({ changeId }) => ({ changeId })),
  react('user.deleted', jobs.deleteUserShares, ({ userId }) => ({ userId })),
  react('notice.owed', jobs.sendNotice, (notice) => notice),
  react('share-mail.owed', jobs.sendShareMail, ({ mailId }) => ({ mailId })),
  react('share-code.requested', jobs.sendShareCode, ({ requestId }) => ({ requestId })),
  react('share.downloaded', jobs.noteShareDownload, ({ shareUid }) => ({ shareUid })),
  react('share.deleted', jobs.deleteShareFiles, ({ shareUid }) => ({ shareUid })),
  react('share-transfers.ended', jobs.deleteShareFiles, ({ shareUid }) => ({ shareUid })),
  react('upload.finished', jobs.hashShareFiles, ({ shareUid }) => ({ shareUid })),
  react('upload.finished', jobs.makeThumbnails, ({ shareUid }) => ({ shareUid })),
  react('upload.finished', jobs.scanShareFiles, ({ shareUid }) => ({ shareUid })),
  react('share.scanned', jobs.openScannedShares, () => ({})),
  react('file.infected', jobs.tellInfected, (infected) => infected),
  react('share.held', jobs.openScannedShares, () => ({})),
  react('thumbnails.wanted', jobs.makeThumbnails, ({ shareUid }) => ({ shareUid })),
  react('share.completed', jobs.buildSegments, ({ shareUid }) => ({ shareUid })),
  react('archive.requested', jobs.buildSegments, ({ shareUid }) => ({ shareUid })),
] as const
