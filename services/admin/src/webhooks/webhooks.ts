import { randomUUID } from 'node:crypto'
import {
  type CreateWebhookInput,
  type Identity,
  type Language,
  instanceWebhookEvents,
  MOST_WEBHOOKS,
  type UpdateWebhookInput,
  type Webhook,
  type WebhookDelivery,
  type WebhookWithSecret,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import { AddressRefusal, type AddressGuard } from './address-guard.ts'
import { type Deliveries, MOST_DELIVERIES } from './deliveries.ts'
import { renderMessage } from './messages.ts'
import type { StoredDelivery, WebhookStore } from './ports.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'

/** After a rotation, receivers may still know the secret of before. */
const BOTH_SECRETS_MS = 24 * 60 * 60 * 1000

export interface Webhooks {
  create(
    user: Identity,
    input: CreateWebhookInput & { language: Language | null },
  ): Promise<WebhookWithSecret>
  list(user: Identity): Promise<Webhook[]>
  update(user: Identity, id: string, input: UpdateWebhookInput): Promise<Webhook>
  remove(user: Identity, id: string): Promise<void>
  rotate(user: Identity, id: string): Promise<WebhookWithSecret>
  /** Sends the event `test`, whether the webhook is on or off. */
  test(user: Identity, id: string): Promise<WebhookDelivery>
  deliveries(user: Identity, id: string): Promise<WebhookDelivery[]>
  replay(
    user: Identity,
    id: string,
    which: { deliveryId: string } | { since: Date },
  ): Promise<number>
}

export interface WebhooksDependencies {
  store: WebhookStore
  secrets: WebhookSecrets
  guard: AddressGuard
  deliveries: Pick<Deliveries, 'sendTest'>
  clock: () => Date
}

export function createWebhooks(dependencies: WebhooksDependencies): Webhooks {
  const { store, secrets, guard, deliveries, clock } = dependencies
  const find = createFinder(store)

  return {
    async create(user, input) {
      refuseInstance(user, input)
      refuseForeignEvents(input)
      await checkAddress(guard, input.url)
      const id = randomUUID()
      const secret = secrets.make()
      const webhook = { id, userId: user.userId, ...input, createdAt: clock() }
      const isAdded = await store.add(
        { ...webhook, secret: secrets.seal(id, secret) },
        MOST_WEBHOOKS,
      )
      if (!isAdded) throw new AppError('too_many_webhooks', { values: { count: MOST_WEBHOOKS } })
      return { ...(await find(user, id)), secret }
    },

    list: ({ userId }) => store.list(userId),

    async update(user, id, { enabled, ...changes }) {
      const { scope } = await find(user, id)
      if (changes.events) refuseForeignEvents({ scope, events: changes.events })
      await checkAddress(guard, changes.url)
      if (enabled === false) await store.disable(id, { at: clock(), reason: 'owner' })
      const updated = await store.update(
        { id, userId: user.userId },
        { ...changes, ...(enabled && { enabled }) },
      )
      if (!updated) throw new AppError('webhook_not_found')
      return updated
    },

    async remove({ userId }, id) {
      if (!(await store.remove({ id, userId }))) throw new AppError('webhook_not_found')
    },

    async rotate(user, id) {
      await find(user, id)
      const secret = secrets.make()
      const previousUntil = new Date(clock().getTime() + BOTH_SECRETS_MS)
      const webhook = await store.rotate(
        { id, userId: user.userId },
        secrets.seal(id, secret),
        previousUntil,
      )
      if (!webhook) throw new AppError('webhook_not_found')
      return { ...webhook, secret }
    },

    async test(user, id) {
      const { format } = await find(user, id)
      const deliveryId = await deliveries.sendTest(id)
      const made = (await store.listDeliveries(id, MOST_DELIVERIES)).find(
        (one) => one.id === deliveryId,
      )
      if (!made) throw new AppError('webhook_not_found')
      return toDelivery(made, format)
    },

    async deliveries(user, id) {
      const { format } = await find(user, id)
      const stored = await store.listDeliveries(id, MOST_DELIVERIES)
      return stored.map((delivery) => toDelivery(delivery, format))
    },

    async replay(user, id, which) {
      await find(user, id)
      const count = await store.replay(id, which, clock())
      if (count === 0 && 'deliveryId' in which) throw new AppError('webhook_delivery_not_found')
      return count
    },
  }
}

function createFinder(store: Pick<WebhookStore, 'find'>) {
  return async (user: Identity, id: string): Promise<Webhook> => {
    const webhook = await store.find({ id, userId: user.userId })
    if (!webhook) throw new AppError('webhook_not_found')
    refuseInstance(user, webhook)
    return webhook
  }
}

/** A token, and who administrates no more, only sees and deletes what tells of everybody. */
function refuseInstance({ isAdmin }: Identity, { scope }: Pick<Webhook, 'scope'>): void {
  if (scope === 'instance' && !isAdmin) throw new AppError('forbidden')
}

async function checkAddress(guard: AddressGuard, url: string | undefined): Promise<void> {
  if (url === undefined) return
  try {
    await guard.check(new URL(url).hostname)
  } catch (error) {
    if (!(error instanceof AddressRefusal)) throw error
    throw new AppError('webhook_address', { message: error.message })
  }
}

function refuseForeignEvents({
  scope,
  events,
}: Pick<CreateWebhookInput, 'scope' | 'events'>): void {
  const foreign: readonly string[] = scope === 'instance' ? [] : instanceWebhookEvents
  const found = events.find((event) => foreign.includes(event))
  if (found === undefined) return
  throw new AppError('validation_failed', {
    issues: [`events: ${found} is for the whole instance`],
  })
}

function toDelivery({ happening, ...delivery }: StoredDelivery, format: Webhook['format']) {
  return { ...delivery, request: renderMessage(format, happening).body }
}
