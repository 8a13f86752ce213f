/** Hashes passwords as the sign-in does while watching this process's event loop. */
import { createRequire } from 'node:module'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { quantile } from '../harness/statistics.ts'

export interface HashProbeResult {
  hashMs: number
  stallMs: number
  /** The same over the same time without a hash: what the machine adds. */
  idleStallMs: number
}

interface Argon2 {
  hash: (password: string, options: object) => Promise<string>
}

// The very copy that the product uses; the package's own tests pin the same parameters.
const requireAsPasswords = createRequire(
  new URL('../../../packages/passwords/package.json', import.meta.url),
)
const argon2 = requireAsPasswords('@node-rs/argon2') as Argon2
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 }

const RESOLUTION_MS = 1
const HASHES = 20

/** Longest time the event loop made a due timer wait while `work` ran. */
async function longestStall(work: () => Promise<void>): Promise<number> {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  await work()
  histogram.disable()
  // The histogram holds the time between two ticks, which includes the interval itself.
  return Math.max(0, histogram.max / 1e6 - RESOLUTION_MS)
}

async function probe(): Promise<HashProbeResult> {
  for (let i = 0; i < 5; i++) await argon2.hash('correct horse battery staple', parameters)
  const durations: number[] = []
  const stallMs = await longestStall(async () => {
    for (let i = 0; i < HASHES; i++) {
      const startedAt = performance.now()
      await argon2.hash('correct horse battery staple', parameters)
      durations.push(performance.now() - startedAt)
    }
  })
  const spentMs = durations.reduce((sum, duration) => sum + duration, 0)
  const idleStallMs = await longestStall(() => delay(spentMs))
  return { hashMs: quantile(durations, 0.5), stallMs, idleStallMs }
}

console.log(JSON.stringify(await probe()))
