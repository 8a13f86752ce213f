import type {
  Happening,
  Language,
  Webhook,
  WebhookDelivery,
  WebhookDisabledReason,
  WebhookEvent,
  WebhookFormat,
  WebhookScope,
} from '@floe/contracts'
import type { Attempt } from './send.ts'

export interface NewWebhook {
  id: string
  userId: string
  scope: WebhookScope
  url: string
  events: readonly WebhookEvent[]
  format: WebhookFormat
  secret: Buffer
  createdAt: Date
  /** Of messages to the owner. */
  language: Language | null
}

export interface WebhookChanges {
  url?: string | undefined
  events?: readonly WebhookEvent[] | undefined
  format?: WebhookFormat | undefined
  /** Turns it on; to be off has a reason, see `disable`. */
  enabled?: true | undefined
}

/** One webhook of one user: of another one it is not found. */
export interface WebhookKey {
  id: string
  userId: string
}

/** A delivery that was taken to be sent. */
export interface DueDelivery {
  id: string
  webhookId: string
  userId: string
  url: string
  format: WebhookFormat
  happening: Happening
  /** This one included. */
  attempts: number
  secret: Buffer
  /** While it is still valid. */
  previousSecret: Buffer | null
}

export interface Outcome {
  deliveryId: string
  attempt: Attempt & { at: Date }
  /** `waiting` has a time of its next attempt. */
  state: WebhookDelivery['state']
  nextAttemptAt: Date | null
}

/** A webhook that was turned off, and whose owner was not told of it yet. */
export interface DisabledWebhook extends Pick<Webhook, 'id' | 'url' | 'scope'> {
  userId: string
  reason: Exclude<WebhookDisabledReason, 'owner'>
  disabledAt: Date
  language: Language | null
}

export interface WebhookStore {
  /** False where the user has the most of them already. */
  add(webhook: NewWebhook, most: number): Promise<boolean>
  list(userId: string): Promise<Webhook[]>
  find(key: WebhookKey): Promise<Webhook | null>
  update(key: WebhookKey, changes: WebhookChanges): Promise<Webhook | null>
  remove(key: WebhookKey): Promise<boolean>
  rotate(key: WebhookKey, secret: Buffer, previousUntil: Date): Promise<Webhook | null>
  removeOfUser(userId: string): Promise<void>
  /** Does a webhook of the whole installation want one of these? */
  wantedByInstance(): Promise<Set<string>>

  /** Owes an event to each webhook that wants it, once however often it is told. Returns to how many. */
  owe(
    happening: Happening,
    options: { now: Date; administratorIds: readonly string[] },
  ): Promise<number>
  /** Owes this one alone, and at once. Returns the delivery. */
  oweOne(webhookId: string, happening: Happening, now: Date): Promise<string>
  /** Takes what is due; who takes it has until `leaseUntil`, and then it is due again. */
  takeDue(options: { now: Date; leaseUntil: Date; limit: number }): Promise<DueDelivery[]>
  takeOne(deliveryId: string, options: { now: Date; leaseUntil: Date }): Promise<DueDelivery | null>
  settle(outcome: Outcome): Promise<void>
  /** What is waiting of it is given up. Its owner is owed a message, unless they did it. */
  disable(webhookId: string, disabled: { at: Date; reason: WebhookDisabledReason }): Promise<void>
  /** Of whom a message is owed to; `null` once it was sent, or the webhook is on again or gone. */
  findOwingMail(webhookId: string): Promise<DisabledWebhook | null>
  settleMail(webhookId: string): Promise<void>
  listDeliveries(webhookId: string, limit: number): Promise<StoredDelivery[]>
  /** Makes deliveries due again; returns how many. */
  replay(
    webhookId: string,
    which: { deliveryId: string } | { since: Date },
    now: Date,
  ): Promise<number>
  /** Removes what is settled and old, and more than the latest of each webhook. */
  prune(options: { before: Date; most: number }): Promise<void>
}

export interface StoredDelivery extends Omit<WebhookDelivery, 'request'> {
  happening: Happening
}
