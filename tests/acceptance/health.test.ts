import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Arrangement, isFullRun, type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { onBothArrangements } from './world/arrangements.ts'
import { createClient } from './world/http-client.ts'

onBothArrangements('health', (floe) => {
  test.each(['/api/health', '/api/health/live', '/api/health/ready'])(
    'at %s is told to anybody, in one word',
    async (path) => {
      const response = await createClient(floe.url).send('GET', path)
      expect(response).toMatchObject({ status: 200, text: 'OK' })
      expect(response.headers['cache-control']).toBe('no-store')
    },
  )
})

const arrangements: readonly Arrangement[] = isFullRun ? ['embedded', 'split'] : ['split']

describe.each(arrangements)('readiness, %s', (arrangement) => {
  let floe: RunningFloe
  beforeAll(async () => {
    floe = await startFloe({ arrangement })
  })
  afterAll(() => floe.stop())

  const ask = async (path: string) => (await createClient(floe.url).send('GET', path)).status
  const expectStatuses = (health: number, ready: number) =>
    vi.waitFor(
      async () => {
        expect([await ask('/api/health'), await ask('/api/health/ready')]).toEqual([health, ready])
      },
      { timeout: 30_000, interval: 200 },
    )

  test('turns off while PostgreSQL does not respond, and on again when it does', async () => {
    await expectStatuses(200, 200)
    const processes = findProcessesIn(join(floe.dataDirectory, 'postgres'))
    expect(processes.length).toBeGreaterThan(1)

    processes.forEach((pid) => process.kill(pid, 'SIGSTOP'))
    try {
      await expectStatuses(503, 503)
      expect(await ask('/api/health/live')).toBe(200)
    } finally {
      processes.forEach((pid) => process.kill(pid, 'SIGCONT'))
    }
    await expectStatuses(200, 200)
  })

  test('turns off while nothing can be stored, and on again when it can', async () => {
    await expectStatuses(200, 200)
    const objects = join(floe.dataDirectory, 'objects')
    await rename(objects, `${objects}.away`)
    try {
      await expectStatuses(200, 503)
    } finally {
      await rename(`${objects}.away`, objects)
    }
    await expectStatuses(200, 200)
  })

  if (arrangement === 'split') {
    test('of the gateway turns off while a service it needs does not respond', async () => {
      const [pid = 0, ...more] = findServices(floe.dataDirectory, 'file')
      expect(more).toEqual([])

      process.kill(pid, 'SIGSTOP')
      try {
        await expectStatuses(200, 503)
      } finally {
        process.kill(pid, 'SIGCONT')
      }
      await expectStatuses(200, 200)
    })
  }
})

/** PostgreSQL works inside its directory. */
function findProcessesIn(directory: string): number[] {
  return findProcesses((pid) => readlinkSync(`/proc/${pid}/cwd`).startsWith(directory))
}

function findServices(dataDirectory: string, service: string): number[] {
  return findProcesses((pid) => {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    return [`DATA_DIR=${dataDirectory}`, `SERVICES=${service}`].every((one) =>
      environment.includes(one),
    )
  })
}

function findProcesses(fits: (pid: number) => boolean): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      try {
        return fits(pid)
      } catch {
        // Ended meanwhile, or another user's.
        return false
      }
    })
}
