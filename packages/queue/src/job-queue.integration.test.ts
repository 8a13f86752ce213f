import { randomUUID } from 'node:crypto'

import { AppError } from '@floe/errors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { QueueConsumer } from './job-queue.ts'
import { eventually } from './testing/eventually.ts'
import { startWorkerProcess } from './testing/kill-worker.ts'
import {
  createRedisBackend,
  postgresBackend,
  type QueueBackend,
  type QueueHome,
} from './testing/queue-backends.ts'
import {
  cappedJob,
  hourlyJob,
  keyedJob,
  keyedOnceJob,
  oftenJob,
  onceJob,
  patientJob,
  plainJob,
  slowJob,
} from './testing/test-jobs.ts'

const backends = [postgresBackend, createRedisBackend()]

// Most of them wait most of the time: side by side, each in a home of its own.
describe.concurrent.each(backends)('job queue on $name', (backend) => {
  const it = test.extend<{ backend: QueueBackend; home: QueueHome }>({
    backend,
    home: async ({ backend }, use) => {
      const home = await backend.createHome()
      await use(home)
      await home.remove()
    },
  })

  beforeAll(() => backend.setUp())
  afterAll(() => backend.tearDown())

  it('runs a job with the payload it was given', async ({ home }) => {
    const queue = await home.open()
    const { consumer, runs } = recordRuns(plainJob)
    queue.consume([consumer])
    const shareUid = randomUUID()

    await queue.enqueue(plainJob, { shareUid })

    await eventually('the job runs', () => runs.length > 0)
    expect(runs).toEqual([{ shareUid }])
  })

  it('refuses a payload that does not fit the contract', async ({ home }) => {
    const queue = await home.open()

    await expect(queue.enqueue(plainJob, { shareUid: 'no uid' })).rejects.toThrow('shareUid')

    expect((await queue.counts()).waiting).toBe(0)
  })

  it('adds one job for calls with the same id, even after it ran', async ({ home }) => {
    const queue = await home.open()
    const { consumer, runs } = recordRuns(plainJob)
    const add = () => queue.enqueue(plainJob, { shareUid: randomUUID() }, { id: 'outbox-1' })
    await add()
    await add()
    queue.consume([consumer])
    await eventually('the job ran', async () => (await queue.counts()).completed === 1)

    await add()
    await queue.enqueue(plainJob, { shareUid: randomUUID() })

    await eventually('the other job ran', async () => (await queue.counts()).completed === 2)
    expect(runs).toHaveLength(2)
  })

  it.for([
    ['the database', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })],
    ['a service', new AppError('upstream_unavailable')],
    [
      'the store',
      new AppError('internal', {
        cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
      }),
    ],
  ])('spends no attempt of a job while %s is away', async ([_what, outage], { home }) => {
    const queue = await home.open()
    let runs = 0
    const handle = () => {
      runs += 1
      return runs < 3 ? Promise.reject(outage) : Promise.resolve()
    }
    queue.consume([{ job: onceJob, handle }])

    await queue.enqueue(onceJob, { shareUid: randomUUID() })

    await eventually('the job has run', async () => (await queue.counts()).completed === 1)
    expect(runs).toBe(3)
    expect((await queue.counts()).failed).toBe(0)
  })

  it('counts jobs by name, and runs a failed one again with all its attempts', async ({ home }) => {
    const queue = await home.open()
    let mayRun = false
    let runs = 0
    const twiceJob: typeof plainJob = { ...plainJob, attempts: 2 }
    const consumer: QueueConsumer = {
      job: twiceJob,
      handle: () => {
        runs += 1
        return mayRun ? Promise.resolve() : Promise.reject(new Error('broken'))
      },
    }
    queue.consume([consumer])
    await queue.enqueue(twiceJob, { shareUid: randomUUID() })
    const [failed] = await eventually('it failed', async () => {
      const jobs = await queue.listFailed(5)
      return jobs.length === 0 ? null : jobs
    })
    await queue.enqueue(patientJob, { shareUid: randomUUID() }, { id: 'left' })
    const none = { waiting: 0, active: 0, delayed: 0, failed: 0, completed: 0 }
    await eventually('one waits for a process that knows it', async () => {
      const [patient, plain] = await queue.countByName()
      expect(plain).toEqual({ ...none, name: 'plain', failed: 1 })
      return patient?.delayed === 1
    })

    expect(runs).toBe(2)
    const id = failed?.id ?? ''
    expect(await queue.retry(id)).toEqual({ name: 'plain' })
    await eventually('it failed twice more', async () => runs === 4)
    await eventually('it is given up', async () => (await queue.counts()).failed === 1)
    mayRun = true
    await queue.retry(id)
    await eventually('it succeeds', async () => (await queue.counts()).failed === 0)
    await eventually('it is done', async () => (await queue.counts()).completed === 1)
    await expect(queue.retry(id)).rejects.toMatchObject({ code: 'job_not_failed' })
    await expect(queue.retry('no-such-job')).rejects.toMatchObject({ code: 'job_not_found' })
  })

  it('makes equal work that waits one job, and keeps different work apart', async ({ home }) => {
    const queue = await home.open()
    const [one, other] = [randomUUID(), randomUUID()]
    const { consumer, runs } = recordRuns(keyedJob)

    await Promise.all(
      [one, one, other, one].map((shareUid) => queue.enqueue(keyedJob, { shareUid })),
    )

    expect((await queue.counts()).waiting).toBe(2)
    queue.consume([consumer])
    await eventually('both ran', async () => (await queue.counts()).completed === 2)
    expect(runs).toHaveLength(2)
  })

  it('runs work once more, and not beside, when its equal arrived while it ran', async ({
    home,
  }) => {
    const queue = await home.open()
    const gate = createGate()
    let running = 0
    let mostRunning = 0
    let runs = 0
    queue.consume([
      {
        job: keyedJob,
        handle: async () => {
          runs += 1
          mostRunning = Math.max(mostRunning, ++running)
          if (runs === 1) await gate.opened
          running -= 1
        },
      },
    ])
    const shareUid = randomUUID()
    await queue.enqueue(keyedJob, { shareUid })
    await eventually('the first run began', () => runs === 1)

    for (let times = 0; times < 3; times++) await queue.enqueue(keyedJob, { shareUid })
    expect(runs).toBe(1)
    gate.open()

    await eventually('it ran once more', async () => (await queue.counts()).completed === 2)
    await expectQuiet(() => runs, 2)
    expect(mostRunning).toBe(1)
  })

  it('keeps work that arrived during a run that failed for good', async ({ home }) => {
    const queue = await home.open()
    const gate = createGate()
    let runs = 0
    queue.consume([
      {
        job: keyedOnceJob,
        handle: async () => {
          if (++runs > 1) return
          await gate.opened
          throw new Error('broken')
        },
      },
    ])
    const shareUid = randomUUID()
    await queue.enqueue(keyedOnceJob, { shareUid })
    await eventually('the first run began', () => runs === 1)

    await queue.enqueue(keyedOnceJob, { shareUid })
    gate.open()

    await eventually('it ran again', async () => (await queue.counts()).completed === 1)
    expect((await queue.counts()).failed).toBe(1)
  })

  it('accepts equal work again after it ran', async ({ home }) => {
    const queue = await home.open()
    const { consumer, runs } = recordRuns(keyedJob)
    queue.consume([consumer])
    const shareUid = randomUUID()

    for (const round of [1, 2, 3]) {
      await queue.enqueue(keyedJob, { shareUid })
      await eventually('it ran', async () => (await queue.counts()).completed === round)
    }

    expect(runs).toHaveLength(3)
  })

  it('tries again as often as the contract says, then shows the failure', async ({ home }) => {
    const queue = await home.open()
    let runs = 0
    queue.consume([{ job: plainJob, handle: () => Promise.reject(new Error(`broken ${++runs}`)) }])
    const shareUid = randomUUID()

    await queue.enqueue(plainJob, { shareUid }, { requestId: 'request-1' })

    await eventually('it failed', async () => (await queue.counts()).failed === 1)
    expect(runs).toBe(3)
    expect(await queue.listFailed(10)).toEqual([
      expect.objectContaining({
        name: 'plain',
        payload: { shareUid },
        requestId: 'request-1',
        attempts: 3,
        reason: 'broken 3',
      }),
    ])
  })

  it('waits between attempts no longer than the contract says', async ({ home }) => {
    const queue = await home.open()
    let runs = 0
    queue.consume([{ job: cappedJob, handle: () => Promise.reject(new Error(`${++runs}`)) }])

    await queue.enqueue(cappedJob, { shareUid: randomUUID() })

    await eventually('it was tried thrice', async () => (await queue.counts()).failed === 1)
    expect(runs).toBe(3)
  })

  it('runs other jobs while one waits for its next attempt', async ({ home }) => {
    const queue = await home.open()
    const { consumer, runs } = recordRuns(plainJob)
    const patient = { job: patientJob, handle: () => Promise.reject(new Error('not yet')) }
    queue.consume([patient, consumer], { concurrency: 1 })

    for (let times = 0; times < 5; times++) {
      await queue.enqueue(patientJob, { shareUid: randomUUID() })
    }
    await eventually('five wait', async () => (await queue.counts()).delayed === 5)
    await queue.enqueue(plainJob, { shareUid: randomUUID() })

    await eventually('the other ran', () => runs.length === 1)
    expect((await queue.counts()).delayed).toBe(5)
  })

  it('does not try again what no attempt can change', async ({ home }) => {
    const queue = await home.open()
    let runs = 0
    queue.consume([
      {
        job: plainJob,
        handle: async (payload) => {
          runs += 1
          if (runs === 1) throw new AppError('validation_failed')
          if (runs === 2) throw new AppError('mail_refused')
          plainJob.schema.parse({ ...(payload as object), shareUid: 'no uid' })
        },
      },
    ])

    for (let times = 0; times < 3; times++) {
      await queue.enqueue(plainJob, { shareUid: randomUUID() })
    }

    await eventually('all failed', async () => (await queue.counts()).failed === 3)
    expect(runs).toBe(3)
  })

  it('leaves a job it does not know to another process', async ({ home }) => {
    const [old, recent] = [await home.open(), await home.open()]
    const { consumer: known, runs: knownRuns } = recordRuns(onceJob)
    const { consumer, runs } = recordRuns(plainJob)
    const consumption = old.consume([known])

    await old.enqueue(plainJob, { shareUid: randomUUID() })
    await old.enqueue(onceJob, { shareUid: randomUUID() })
    await eventually('the known job ran', () => knownRuns.length === 1)
    await eventually('the other waits', async () => (await old.counts()).delayed === 1)
    await consumption.stop()
    recent.consume([consumer])

    await eventually('the other process ran it', () => runs.length === 1, 20_000)
    expect((await recent.counts()).failed).toBe(0)
  })

  it('aborts running jobs on stop and hands them on without costing an attempt', async ({
    home,
  }) => {
    const [first, second] = [await home.open(), await home.open()]
    let began = false
    const consumption = first.consume([
      {
        job: onceJob,
        handle: (_payload, { signal }) => {
          began = true
          return new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason))
          })
        },
      },
    ])
    await first.enqueue(onceJob, { shareUid: randomUUID() })
    await eventually('it began', () => began)

    await consumption.stop()
    const { consumer, runs } = recordRuns(onceJob)
    second.consume([consumer])

    await eventually('it ran elsewhere', () => runs.length === 1)
    await eventually('it is done', async () => (await second.counts()).completed === 1)
  })

  it('stops in time although a handler does not return', async ({ home }) => {
    const queue = await home.open({ lockMs: 1_000 })
    let began = false
    const consumption = queue.consume([
      {
        job: onceJob,
        handle: () => {
          began = true
          return new Promise(() => {})
        },
      },
    ])
    await queue.enqueue(onceJob, { shareUid: randomUUID() })
    await eventually('it began', () => began)
    const startedAt = Date.now()

    await consumption.stop({ timeoutMs: 300 })
    await queue.close()

    expect(Date.now() - startedAt).toBeLessThan(8_000)
  })

  it(
    'runs a job to its end after its process was killed, however often',
    { timeout: 90_000 },
    async ({ home }) => {
      const lockMs = 800
      const queue = await home.open({ lockMs })
      await queue.enqueue(slowJob, { shareUid: randomUUID() })
      const processes = [startWorkerProcess(home, lockMs)]

      try {
        for (const kills of [1, 2, 3]) {
          const holder = processes.at(-1)
          await holder?.says('running')
          if (kills < 3) {
            const successor = startWorkerProcess(home, lockMs)
            processes.push(successor)
            await successor.says('ready')
          }
          await holder?.kill()
        }
        const { consumer, runs } = recordRuns(slowJob)
        queue.consume([consumer])

        await eventually('it is done', async () => (await queue.counts()).completed === 1, 30_000)
        expect(runs).toHaveLength(1)
      } finally {
        await Promise.all(processes.map((worker) => worker.kill()))
      }
    },
  )

  it('keeps one schedule however many processes set it up together', async ({ home }) => {
    const queues = await Promise.all([1, 2, 3, 4].map(() => home.open()))
    const { consumer, runs } = recordRuns(oftenJob)

    await Promise.all(queues.map((queue) => queue.schedule([oftenJob, plainJob])))
    queues[0]?.consume([consumer])
    const startedAt = Date.now()
    await eventually('it ran five times', () => runs.length >= 5)

    expect(Date.now() - startedAt).toBeGreaterThan(1_000)
  })

  it('runs a job for the start soon after each start, though its time has not come', async ({
    home,
  }) => {
    const queue = await home.open()
    const { consumer, runs } = recordRuns(hourlyJob)
    queue.consume([consumer])

    await queue.schedule([hourlyJob])
    await eventually('it ran at the first start', () => runs.length === 1, 10_000)
    await eventually('it is done', async () => (await queue.counts()).active === 0)
    const others = await Promise.all([home.open(), home.open()])
    await Promise.all(others.map((other) => other.schedule([hourlyJob])))

    await eventually('it ran at the next start', () => runs.length === 2, 10_000)
    await eventually('the next run waits', async () => (await queue.counts()).delayed === 1)
    await expectQuiet(() => runs.length, 2)
  })
})

function recordRuns(job: QueueConsumer['job']): { consumer: QueueConsumer; runs: unknown[] } {
  const runs: unknown[] = []
  return { consumer: { job, handle: async (payload) => void runs.push(payload) }, runs }
}

function createGate(): { opened: Promise<void>; open: () => void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** The number neither grows at once nor a little later. */
async function expectQuiet(count: () => number, expected: number): Promise<void> {
  const until = Date.now() + 500
  await eventually('half a second passed', () => {
    expect(count()).toBe(expected)
    return Date.now() > until
  })
}
