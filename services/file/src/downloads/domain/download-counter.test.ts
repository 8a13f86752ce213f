import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDownloadCounter } from './download-counter.ts'
import type { DownloadCount } from './download-ports.ts'

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-05-01T12:34:56.789Z') }))
afterEach(() => void vi.useRealTimers())

function openCounter() {
  const saved: DownloadCount[][] = []
  const warnings: string[] = []
  const world = { isBroken: false, saved, warnings }
  const counter = createDownloadCounter({
    counts: {
      add: async (counts) => {
        if (world.isBroken) throw new Error('the database is away')
        saved.push([...counts])
      },
    },
    log: { warn: (_fields, text) => void warnings.push(text) },
    clock: () => new Date(),
  })
  const countSaved = () => saved.flat().reduce((sum, { count }) => sum + count, 0)
  return { world, counter, countSaved }
}

const file = { shareUid: 'share', fileId: 'file' }
const archive = { shareUid: 'share', fileId: null }

test('writes the downloads of a second together, a row for each file and hour', async () => {
  const { world, counter } = openCounter()
  for (let download = 0; download < 10_000; download += 1) counter.count(file)
  counter.count(archive)
  expect(world.saved).toEqual([])
  await vi.advanceTimersByTimeAsync(1_000)
  const lastAt = new Date('2026-05-01T12:34:56.789Z')
  const hour = new Date('2026-05-01T12:00:00.000Z')
  expect(world.saved).toEqual([
    [
      { ...file, hour, count: 10_000, lastAt },
      { ...archive, hour, count: 1, lastAt },
    ],
  ])
})

test('writes nothing where nothing was downloaded', async () => {
  const { world, counter } = openCounter()
  counter.count(file)
  await vi.advanceTimersByTimeAsync(60_000)
  await counter.flush()
  expect(world.saved).toHaveLength(1)
})

test('begins another row with another hour, and knows the last download of each', async () => {
  const { world, counter } = openCounter()
  for (const time of ['12:59:59.900', '13:00:00.000', '13:00:00.100']) {
    vi.setSystemTime(new Date(`2026-05-01T${time}Z`))
    counter.count(file)
  }
  await counter.flush()
  const rows = world.saved
    .flat()
    .map(({ hour, count, lastAt }) => [
      hour.toISOString().slice(11, 19),
      count,
      lastAt.toISOString().slice(11, 23),
    ])
  expect(rows).toEqual([
    ['12:00:00', 1, '12:59:59.900'],
    ['13:00:00', 2, '13:00:00.100'],
  ])
})

test('writes a thousand rows at once and no more', async () => {
  const { world, counter, countSaved } = openCounter()
  for (let row = 0; row < 2_500; row += 1) counter.count({ shareUid: 'share', fileId: `${row}` })
  await counter.flush()
  expect(world.saved.map(({ length }) => length)).toEqual([1_000, 1_000, 500])
  expect(countSaved()).toBe(2_500)
})

test('keeps what could not be written and writes it once the database is back', async () => {
  const { world, counter, countSaved } = openCounter()
  world.isBroken = true
  for (let download = 0; download < 3; download += 1) {
    counter.count(file)
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(world.warnings.length).toBeGreaterThan(0)
  world.isBroken = false
  await vi.advanceTimersByTimeAsync(1_000)
  expect(countSaved()).toBe(3)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(countSaved()).toBe(3)
})

test('writes the rest when it stops, and does not go on trying', async () => {
  const { world, counter, countSaved } = openCounter()
  counter.count(file)
  await counter.stop()
  expect(countSaved()).toBe(1)
  world.isBroken = true
  counter.count(file)
  await counter.stop()
  expect(vi.getTimerCount()).toBe(0)
})
