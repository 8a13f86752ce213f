import { expect, test } from 'vitest'
import { createConcurrencyLimit } from './concurrency-limit.ts'

test('never runs more than the limit at once and runs everything in order', async () => {
  const run = createConcurrencyLimit(2)
  const started: number[] = []
  let running = 0
  let most = 0
  await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      run(async () => {
        started.push(index)
        running += 1
        most = Math.max(most, running)
        await new Promise((resolve) => setImmediate(resolve))
        running -= 1
      }),
    ),
  )
  expect(most).toBe(2)
  expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
})

test('gives the place back when the work fails', async () => {
  const run = createConcurrencyLimit(1)
  await expect(run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await expect(run(() => Promise.resolve('yes'))).resolves.toBe('yes')
})
