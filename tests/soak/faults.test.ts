import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { jobs } from '@floe/contracts'
import { createRedisQueue, type JobCounts } from '@floe/queue'
import { createRandom, type Random, type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../acceptance/world/command.ts'
import { createAccount } from './world/account.ts'
import { type Cluster, startCluster, type Victim } from './world/cluster.ts'
import { checkShare, createDeeds, type Deeds, useUntilStopped } from './world/customer.ts'
import { openEmbeddedDatabase } from './world/inspect-data.ts'

const seconds = Number(process.env['FAULT_SECONDS'] ?? 600)
const seed = Number(process.env['SEED'] ?? 20_261_122)
const CUSTOMERS = 40
const SETTLE_LIMIT_MS = 180_000

let cluster: Cluster
let catcher: SmtpCatcher

beforeAll(async () => {
  cluster = await startCluster()
  catcher = await startSmtpCatcher()
})
afterAll(async () => {
  await cluster?.stop()
  await catcher?.stop()
})

test('whatever dies, nothing that was acknowledged is lost, doubled or left behind', async () => {
  console.log(`seed ${seed}, ${seconds} s (repeat with SEED=${seed} FAULT_SECONDS=${seconds})`)
  const { url } = cluster.floe
  const cookie = await createAccount(url)
  await prepare(url, cookie)
  const stop = new AbortController()
  const deeds = createDeeds()
  const repeats = new Map<string, number>()
  const customers = Array.from({ length: CUSTOMERS }, (_, index) =>
    useUntilStopped(
      { url, cookie, repeats, random: createRandom(seed + 1 + index), stop: stop.signal },
      deeds,
    ),
  )
  const allDone = Promise.all(customers)
  const strikes = await Promise.race([strikeFor(seconds, createRandom(seed)), failure(allDone)])
  stop.abort()
  await allDone
  report(deeds, strikes, repeats)
  for (const share of deeds.kept) await checkShare({ url, cookie }, share)
  const recipients = deeds.kept.flatMap(({ recipient }) => recipient ?? [])
  await settle(recipients)
  expect(duplicates([...recipients, ...deeds.formerRecipients])).toEqual([])
  expect(await abandonedParts()).toEqual([])
  expect(await runCommand('verify', cluster.environment, '--deep')).toMatchObject({
    code: 0,
    lines: [expect.stringMatching(/: no differences$/)],
  })
})

async function prepare(url: string, cookie: string): Promise<void> {
  const settings = {
    'smtp.enabled': true,
    'smtp.host': catcher.host,
    'smtp.port': catcher.port,
    'smtp.email': 'floe@floe.test',
    'email.enableShareEmailRecipients': true,
    'share.zipCompressionLevel': 6,
  }
  const response = await fetch(`${url}/api/configs/admin`, {
    method: 'PATCH',
    headers: { Cookie: cookie, 'Content-Type': 'application/json' },
    body: JSON.stringify(Object.entries(settings).map(([key, value]) => ({ key, value }))),
  })
  expect(response.status, await response.text()).toBe(200)
}

/** Rejects with the first failure; never resolves. */
async function failure(work: Promise<unknown>): Promise<never> {
  await work
  return new Promise(() => undefined)
}

/** Each of them once before any is struck again; how often each was. */
async function strikeFor(duration: number, random: Random): Promise<Map<string, number>> {
  const strikes = new Map<string, number>()
  const waiting: Victim[] = []
  const end = Date.now() + duration * 1000
  while (Date.now() < end) {
    await delay(random.between(500, 4_000))
    if (waiting.length === 0) waiting.push(...cluster.victims)
    const next = random.pick(waiting)
    waiting.splice(waiting.indexOf(next), 1)
    await next.strike(random)
    strikes.set(next.name, (strikes.get(next.name) ?? 0) + 1)
  }
  return strikes
}

/** Objects that grow for nobody; the upload of a lost response waits until it expires. */
const growingQuery = `
  select count(*) from s3_objects where not is_finished
    and not exists (select from uploads where uploads.object_key = s3_objects.key)`

/** Every event is relayed, every job done, every file hashed and every message there. */
async function settle(recipients: readonly string[]): Promise<void> {
  const database = await openEmbeddedDatabase(cluster.floe.dataDirectory)
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const queue = createRedisQueue({ redisUrl: cluster.redisUrl, log })
  const count = async (sql: string) => {
    const { rows } = await database.knex.raw<{ rows: { count: string }[] }>(sql)
    return Number(rows[0]?.count)
  }
  // What became of a message tells how it was lost.
  const tellMail = async (address: string) => {
    const { rows } = await database.knex.raw<{ rows: object[] }>(
      `select sent_at, handover_began_at, handed_over_at, claimed_by from share_mails
       where occasion = ?`,
      [address],
    )
    return `${address}: ${JSON.stringify(rows)}`
  }
  const look = async () => {
    const unheard = recipients.filter((address) => messagesTo(address).length === 0)
    const counts: JobCounts = await queue.counts()
    return {
      events: await count('select count(*) from outbox'),
      unhashed: await count('select count(*) from files where sha256 is null'),
      growing: await count(growingQuery),
      jobs: { waiting: counts.waiting, active: counts.active },
      failed: (await queue.listFailed(10)).map(({ name, reason }) => `${name}: ${reason}`),
      unheard: await Promise.all(unheard.map(tellMail)),
    }
  }
  const atRest = {
    events: 0,
    unhashed: 0,
    growing: 0,
    jobs: { waiting: 0, active: 0 },
    failed: [],
    unheard: [],
  }
  try {
    const deadline = Date.now() + SETTLE_LIMIT_MS
    for (;;) {
      const found = await look()
      if (JSON.stringify(found) === JSON.stringify(atRest)) return
      if (Date.now() > deadline) expect(found).toEqual(atRest)
      // One whose removal the storage did not survive waits for the job of the next full hour.
      if (found.growing > 0) await queue.enqueue(jobs.reconcileObjects, {})
      await delay(500)
    }
  } finally {
    await queue.close()
    await database.close()
  }
}

function messagesTo(address: string) {
  return catcher.messages.filter(({ to }) => to.includes(address))
}

/** Who got a message more than once that was not the same one, sent again. */
function duplicates(recipients: readonly string[]): string[] {
  const told = recipients.filter((address) => messagesTo(address).length > 0)
  const repeated = told.filter((address) => messagesTo(address).length > 1)
  console.log(`${told.length} messages, ${repeated.length} of them sent again`)
  return repeated.filter(
    (address) => new Set(messagesTo(address).map(({ messageId }) => messageId)).size > 1,
  )
}

/** Multipart uploads that MinIO still holds for nobody, who would ever end them. */
async function abandonedParts(): Promise<string[]> {
  const database = await openEmbeddedDatabase(cluster.floe.dataDirectory)
  try {
    const { rows } = await database.knex.raw<{ rows: { id: string }[] }>(
      'select upload_id as id from s3_objects where upload_id is not null',
    )
    // MinIO tells where and which: the latter is the name of a folder.
    const known = rows.map(({ id }) => Buffer.from(id, 'base64').toString().split('.').at(-1))
    const folders = await readdir(join(cluster.minio.directory, '.minio.sys', 'multipart'), {
      recursive: true,
    })
    return folders
      .filter((path) => /\/[^/]+$/.test(path) && path.split('/').length === 2)
      .filter((path) => !known.includes(path.split('/')[1]))
  } finally {
    await database.close()
  }
}

function report(
  { files, bytes, downloads, archives, deleted, kept }: Deeds,
  strikes: ReadonlyMap<string, number>,
  repeats: ReadonlyMap<string, number>,
): void {
  const list = (counts: ReadonlyMap<string, number>) =>
    [...counts].map(([name, count]) => `${name} ${count}`).join(', ')
  console.log(`killed: ${list(strikes)}`)
  console.log(
    `${files} files (${Math.round(bytes / 1e6)} MB) in ${kept.length + deleted} shares, ` +
      `${deleted} deleted; ${downloads} downloads, ${archives} archives`,
  )
  console.log(`repeated by clients: ${list(repeats)}`)
}
