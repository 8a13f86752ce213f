import { type DomainEvent, eventSchemas, type JobContract, reactions } from '@floe/contracts'
import type { Database, Knex } from '@floe/db'

import type { JobQueue, QueueLog, QueueMemory } from './job-queue.ts'

interface OutboxRow {
  id: number
  name: string
  payload: unknown
  request_id: string | null
}

interface QueueMark {
  mark: string
}

interface PlannedJob {
  job: JobContract
  payload: unknown
  requestId: string | null
  id: string
}

const batchSize = 500
/** Bounds one transaction: rows it removes, and jobs it waits for the queue to take. */
const mostRows = 10_000
const mostJobs = 500
const enqueueSideBySide = 4

/** What the events of one round come to. */
interface Round {
  /** Keyed by what makes jobs equal. */
  jobs: Map<string, PlannedJob>
  /** For the log. */
  events: object[]
  isLast: boolean
}

/**
 * Relays one round of events, oldest first, in one transaction. Says whether there may be more. A
 * queue that has forgotten earlier ones is made up to date first.
 * Rejects, leaving every row, when the queue did not take all their jobs; those it took are asked
 * for again next time, which equal keys and ids make harmless.
 */
export async function relayEvents({
  database,
  queue,
  recover,
  unwanted = [],
  log,
}: {
  database: Pick<Database, 'knex'>
  queue: Pick<JobQueue, 'enqueue' | 'memory'>
  recover(trx: Knex.Transaction): Promise<void>
  unwanted?: readonly JobContract[]
  log: QueueLog
}): Promise<boolean> {
  return database.knex.transaction(async (trx) => {
    const memory = queue.memory && (await openMemory(trx, queue.memory))
    if (memory?.hasForgotten) {
      log.warn({}, 'job queue is new or lost jobs; pending work is queued again')
      await recover(trx)
    }
    const { jobs, events, isLast } = await takeRound(trx, log)
    const wanted = [...jobs.values()].filter(({ job }) => !unwanted.includes(job))
    await enqueueAll(wanted, queue)
    if (memory?.hasForgotten || jobs.size > 0) await memory?.mark()
    for (const event of events) log.debug(event, 'event relayed')
    return !isLast
  })
}

async function takeRound(trx: Knex.Transaction, log: QueueLog): Promise<Round> {
  const round: Round = { jobs: new Map(), events: [], isLast: false }
  let count = 0
  let lastId = 0
  while (!round.isLast && count < mostRows && round.jobs.size < mostJobs) {
    const rows = await takeRows(trx, lastId)
    for (const row of rows) planJobs(row, round, log)
    lastId = rows.at(-1)?.id ?? lastId
    count += rows.length
    round.isLast = rows.length < batchSize
  }
  return round
}

/**
 * Each round that gave the queue jobs is marked, in the queue and then in the database, which keeps
 * others from theirs until it commits. Where the marks differ and no round is about to commit, the
 * queue has lost what it took, or a round was lost that had marked it.
 */
async function openMemory(trx: Knex.Transaction, memory: QueueMemory) {
  const look = async () => {
    const [row] = await trx<QueueMark>('queue_mark')
    const { mark, run } = await memory.recall()
    return { run, agrees: mark === Number(row?.mark) }
  }
  let { run, agrees } = await look()
  if (!agrees) {
    await trx('queue_mark').forUpdate()
    ;({ run, agrees } = await look())
  }
  return {
    hasForgotten: !agrees,
    mark: async () => {
      const [next] = await trx<QueueMark>('queue_mark').increment('mark', 1).returning('mark')
      await memory.remember(Number(next?.mark), run)
    },
  }
}

/**
 * Events of a newer release stay for a relay that knows them. It looks after `lastId`
 * only: the rows just taken are still there, dead, and would have to be skipped each time.
 */
async function takeRows(trx: Knex.Transaction, lastId: number): Promise<OutboxRow[]> {
  const { rows } = await trx.raw<{ rows: OutboxRow[] }>(
    `with taken as materialized (
       select id from outbox where id > ? and name = any(?)
       order by id limit ? for update skip locked
     )
     delete from outbox using taken where outbox.id = taken.id
     returning outbox.id, outbox.name, outbox.payload, outbox.request_id`,
    [lastId, Object.keys(eventSchemas), batchSize],
  )
  return rows.sort((a, b) => a.id - b.id)
}

function planJobs(row: OutboxRow, { jobs, events }: Round, log: QueueLog): void {
  const event = parseEvent(row)
  if (!event) {
    // It was valid when it was written, so no later attempt can read it either.
    log.error({ event: row.name, outboxId: row.id }, 'event dropped: it does not match its schema')
    return
  }
  // Equal jobs are one job, which names one of their requests: the ids lead from the others to it.
  events.push({
    requestId: row.request_id,
    event: row.name,
    outboxId: row.id,
    about: idsOf(event.payload),
  })
  for (const { job, payload } of findReactions(event)) {
    const id = `outbox-${row.id}-${job.name}`
    const equal = job.key ? `${job.name}/${job.key(payload)}` : id
    if (!jobs.has(equal)) jobs.set(equal, { job, payload, requestId: row.request_id, id })
  }
}

/** Some events tell more than the log has to know. */
function idsOf(payload: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(payload).filter(([name]) => /U?[Ii]d$/.test(name)))
}

function parseEvent({ name, payload }: OutboxRow): DomainEvent | undefined {
  const eventName = name as DomainEvent['name']
  const parsed = eventSchemas[eventName].safeParse(payload)
  return parsed.success ? { name: eventName, payload: parsed.data } : undefined
}

function findReactions({ name, payload }: DomainEvent): { job: JobContract; payload: unknown }[] {
  return reactions
    .filter(({ event }) => event === name)
    .map((reaction) => {
      const build = reaction.payload as (event: DomainEvent['payload']) => unknown
      return { job: reaction.job, payload: build(payload) }
    })
}

async function enqueueAll(
  planned: readonly PlannedJob[],
  queue: Pick<JobQueue, 'enqueue'>,
): Promise<void> {
  for (let start = 0; start < planned.length; start += enqueueSideBySide) {
    await Promise.all(
      planned
        .slice(start, start + enqueueSideBySide)
        .map(({ job, payload, requestId, id }) => queue.enqueue(job, payload, { requestId, id })),
    )
  }
}
