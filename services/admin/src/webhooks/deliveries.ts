import { randomUUID } from 'node:crypto'
import type { AuthPort, Happening, RecordedAuditEvent } from '@floe/contracts'
import { renderMessage } from './messages.ts'
import type { DueDelivery, Outcome, WebhookStore } from './ports.ts'
import { nextAttempt } from './schedule.ts'
import type { Attempt, SendWebhook } from './send.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** A worker that took a delivery so long ago is gone. */
const LEASE_MS = 60_000
/** An attempt that begins later than this could outlast the lease. */
const BEGIN_WITHIN_MS = 45_000
const TAKEN_AT_ONCE = 50
/** Of each webhook. */
export const MOST_DELIVERIES = 100
const KEPT_MS = 30 * DAY_MS

export interface Deliveries {
  /** Events of other services; safe to repeat. */
  owe(happening: Happening): Promise<void>
  /** What the audit log is told of accounts is an event as well. */
  oweForAudit(event: RecordedAuditEvent): Promise<void>
  /** Sends what is due, until nothing is or the signal says to stop. */
  sendDue(signal: AbortSignal): Promise<void>
  /** Sends the event `test` once, whether the webhook is on or off. Returns the delivery. */
  sendTest(webhookId: string): Promise<string>
  /** Forgets what is settled: of a month ago, and more than can be listed. */
  prune(): Promise<void>
}

export interface DeliveriesDependencies {
  store: WebhookStore
  secrets: WebhookSecrets
  send: SendWebhook
  auth: Pick<AuthPort, 'listAdministrators'>
  log: { warn(fields: object, message: string): void }
  clock: () => Date
}

export function createDeliveries(dependencies: DeliveriesDependencies): Deliveries {
  const { store, auth, clock } = dependencies
  const attempt = createAttempts(dependencies)
  const leaseFrom = (now: Date) => ({ now, leaseUntil: new Date(now.getTime() + LEASE_MS) })

  async function owe(happening: Happening): Promise<void> {
    // Most happenings concern nobody else, and the other service is not asked for nothing.
    const concernsInstance = (await store.wantedByInstance()).has(happening.type)
    const administrators = concernsInstance ? await auth.listAdministrators({}) : []
    const administratorIds = administrators.map(({ id }) => id)
    await store.owe(happening, { now: clock(), administratorIds })
  }

  return {
    owe,

    async oweForAudit({ id, at, action, target }) {
      const type = accountEvents[action]
      const userId = target?.type === 'user' ? target.id : null
      if (type === undefined || target === null || userId === null) return
      const data = { userId, username: target.name }
      await owe({ id, at, type, ownerId: null, data })
      if (type === 'user.deleted') await store.removeOfUser(userId)
    },

    async sendDue(signal) {
      const now = clock()
      for (;;) {
        signal.throwIfAborted()
        const takenAt = clock()
        const { leaseUntil } = leaseFrom(takenAt)
        const due = await store.takeDue({ now, leaseUntil, limit: TAKEN_AT_ONCE })
        const mayBegin = () => clock().getTime() - takenAt.getTime() < BEGIN_WITHIN_MS
        await sendInTurns(due, { send: (delivery) => attempt(delivery, { signal }), mayBegin })
        if (due.length < TAKEN_AT_ONCE) return
      }
    },

    async sendTest(webhookId) {
      const now = clock()
      const happening = { id: randomUUID(), type: 'test', at: now.toISOString() } as const
      const deliveryId = await store.oweOne(
        webhookId,
        { ...happening, ownerId: null, data: {} },
        now,
      )
      const due = await store.takeOne(deliveryId, leaseFrom(now))
      // It is told at once how it went, and not repeated.
      if (due) await attempt(due, { isTest: true })
      return deliveryId
    },

    prune: () =>
      store.prune({ before: new Date(clock().getTime() - KEPT_MS), most: MOST_DELIVERIES }),
  }
}

const accountEvents: Partial<Record<string, 'user.created' | 'user.deleted'>> = {
  'user.registered': 'user.created',
  'user.created': 'user.created',
  'user.deleted': 'user.deleted',
}

/** Those of one webhook one after another, in their order; the others do not wait for a slow one. */
async function sendInTurns(
  due: readonly DueDelivery[],
  {
    send,
    mayBegin,
  }: { send: (delivery: DueDelivery) => Promise<boolean>; mayBegin: () => boolean },
): Promise<void> {
  const turns = new Map<string, DueDelivery[]>()
  for (const delivery of due) {
    turns.set(delivery.webhookId, [...(turns.get(delivery.webhookId) ?? []), delivery])
  }
  await Promise.all(
    [...turns.values()].map(async (deliveries) => {
      for (const delivery of deliveries) {
        // What is left is due again when its lease ends; of a webhook that is off by now it is given up.
        if (!mayBegin() || !(await send(delivery))) return
      }
    }),
  )
}

interface AttemptOptions {
  isTest?: boolean
  signal?: AbortSignal
}

/** One attempt, and what follows from it. Returns whether the webhook is still on. */
function createAttempts({ store, secrets, send, log, clock }: DeliveriesDependencies) {
  function openSecrets({ webhookId, secret, previousSecret }: DueDelivery): string[] {
    const opened = [secret, ...(previousSecret ? [previousSecret] : [])].flatMap(
      (sealed) => secrets.open(webhookId, sealed) ?? [],
    )
    if (opened.length === 0) log.warn({ webhookId }, 'could not decrypt the secret of a webhook')
    return opened
  }

  async function sendSigned(due: DueDelivery, at: Date, signal?: AbortSignal): Promise<Attempt> {
    const { url, format, happening } = due
    const opened = openSecrets(due)
    // Nobody could tell from whom it is.
    if (opened.length === 0) return unsigned
    const message = renderMessage(format, happening)
    return send({ url, id: happening.id, at, secrets: opened, message }, signal)
  }

  return async (due: DueDelivery, { isTest = false, signal }: AttemptOptions): Promise<boolean> => {
    const at = clock()
    const made = await sendSigned(due, at, signal)
    // Stopped by us: it stays taken until its lease ends, and is sent again.
    if (signal?.aborted) return false
    const outcome = decide(made, { attempts: isTest ? Infinity : due.attempts, now: at })
    await store.settle({ deliveryId: due.id, attempt: { ...made, at }, ...outcome })
    if (outcome.state !== 'failed' || isTest) return true
    await store.disable(due.webhookId, { at, reason: made.status === 410 ? 'gone' : 'failing' })
    return false
  }
}

const unsigned: Attempt = {
  milliseconds: 0,
  status: null,
  error: 'The secret cannot be read with the key of this installation',
  response: '',
}

function decide(
  { status }: Attempt,
  { attempts, now }: { attempts: number; now: Date },
): Pick<Outcome, 'state' | 'nextAttemptAt'> {
  if (status !== null && status >= 200 && status < 300) {
    return { state: 'delivered', nextAttemptAt: null }
  }
  const nextAttemptAt = status === 410 ? null : nextAttempt(attempts, now)
  return { state: nextAttemptAt ? 'waiting' : 'failed', nextAttemptAt }
}
