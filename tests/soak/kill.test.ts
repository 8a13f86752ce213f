import { createHash, randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createRandom, type Random, type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount } from './world/account.ts'
import { type Findings, inspectData, openEmbeddedDatabase } from './world/inspect-data.ts'
import { type SentFile, sendUntilStopped } from './world/sender.ts'

const kills = Number(process.env['KILLS'] ?? 30)
const seed = Number(process.env['SEED'] ?? randomInt(1, 2 ** 31))
const SENDERS = 4
/** A start that hangs; how fast one is, is told, not judged, for the machine may be busy. */
const START_LIMIT_MS = 60_000
const SETTLE_LIMIT_MS = 90_000

let floe: RunningFloe

beforeAll(async () => {
  floe = await startFloe({ arrangement: 'embedded' })
})
afterAll(() => floe.stop())

test('no kill at any moment loses an acknowledged byte or leaves anything behind', async () => {
  const random = createRandom(seed)
  console.log(`seed ${seed}, ${kills} kills (repeat with SEED=${seed} KILLS=${kills})`)
  const cookie = await createAccount(floe.url)
  const stop = new AbortController()
  const senders = Array.from({ length: SENDERS }, (_, index) =>
    sendUntilStopped({
      url: floe.url,
      cookie,
      random: createRandom(seed + 1 + index),
      stop: stop.signal,
    }),
  )
  const allSent = Promise.all(senders)
  const startsMs = await Promise.race([killRepeatedly(random), failure(allSent)])
  stop.abort()
  const sent = (await allSent).flat()
  // Begins with a reconciliation.
  await floe.restart()
  await verifyDownloads(sent, cookie)
  const files = await settle()
  report(startsMs, sent, files)
  expect(Math.max(...startsMs)).toBeLessThan(START_LIMIT_MS)
})

/** Rejects with the first failure; never resolves. */
async function failure(work: Promise<unknown>): Promise<never> {
  await work
  return new Promise(() => undefined)
}

async function killRepeatedly(random: Random): Promise<number[]> {
  const startsMs: number[] = []
  for (let kill = 1; kill <= kills; kill += 1) {
    await delay(random.between(50, 3_000))
    const leavesDatabase = random.chance(0.4)
    if (leavesDatabase) await floe.crash()
    else await floe.kill()
    const startedAt = performance.now()
    await floe.restart({ keepsOrphans: leavesDatabase })
    startsMs.push(performance.now() - startedAt)
  }
  return startsMs
}

async function verifyDownloads(sent: readonly SentFile[], cookie: string): Promise<void> {
  const byShare = new Map<string, SentFile[]>()
  for (const file of sent) byShare.set(file.shareId, [...(byShare.get(file.shareId) ?? []), file])
  for (const [shareId, files] of byShare) {
    const ids = await listFiles(shareId, cookie)
    for (const { name, sizeBytes, sha256 } of files) {
      const id = ids.get(name)
      expect(id, `${name} of ${shareId} was acknowledged`).toBeDefined()
      const body = await download(`/api/shares/${shareId}/files/${String(id)}`, cookie)
      expect(body.length, name).toBe(sizeBytes)
      expect(createHash('sha256').update(body).digest('hex'), name).toBe(sha256)
    }
  }
}

async function listFiles(shareId: string, cookie: string): Promise<Map<string, string>> {
  const response = await fetch(`${floe.url}/api/shares/${shareId}/from-owner`, {
    headers: { Cookie: cookie },
  })
  expect(response.status).toBe(200)
  const { files } = (await response.json()) as { files: { id: string; name: string }[] }
  return new Map(files.map(({ id, name }) => [name, id]))
}

async function download(path: string, cookie: string): Promise<Buffer> {
  const response = await fetch(`${floe.url}${path}`, { headers: { Cookie: cookie } })
  expect(response.status, path).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

const atRest: Findings = {
  orphans: [],
  missing: [],
  unhashed: 0,
  held: 0,
  miscounted: 0,
  events: 0,
  busyJobs: [],
  failedJobs: [],
  stuckKeys: [],
}

/** Waits for the jobs; how many files there are, acknowledged or not. */
async function settle(): Promise<number> {
  const database = await openEmbeddedDatabase(floe.dataDirectory)
  try {
    const deadline = Date.now() + SETTLE_LIMIT_MS
    for (;;) {
      const { findings, files } = await inspectData(database, floe.dataDirectory)
      if (JSON.stringify(findings) === JSON.stringify(atRest)) return files
      if (Date.now() > deadline) expect(findings).toEqual(atRest)
      await delay(500)
    }
  } finally {
    await database.close()
  }
}

function report(startsMs: readonly number[], sent: readonly SentFile[], files: number): void {
  const sorted = [...startsMs].sort((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  const bytes = sent.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  console.log(
    `${sent.length} files (${Math.round(bytes / 1e6)} MB) acknowledged, ${files} stored; ` +
      `starts: median ${Math.round(median)} ms, slowest ${Math.round(sorted.at(-1) ?? 0)} ms`,
  )
}
