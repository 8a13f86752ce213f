import { describe, expect, it } from 'vitest'
import { createLimiter } from './limiter.ts'

describe('createLimiter', () => {
  it('never runs more tasks at a time than it may, and runs them all in order', async () => {
    const limit = createLimiter(2)
    let running = 0
    let most = 0
    const finished: number[] = []
    const tasks = Array.from({ length: 20 }, (_, n) =>
      limit(async () => {
        running += 1
        most = Math.max(most, running)
        await new Promise(setImmediate)
        running -= 1
        finished.push(n)
      }),
    )
    await Promise.all(tasks)
    expect(most).toBe(2)
    expect(finished).toEqual(Array.from({ length: 20 }, (_, n) => n))
  })

  it('goes on after a task that failed', async () => {
    const limit = createLimiter(1)
    await expect(limit(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await limit(async () => 'yes')).toBe('yes')
  })
})
