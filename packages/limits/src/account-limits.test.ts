import { expect, test } from 'vitest'
import { rememberLimits } from './account-limits.ts'

function countingLimits({ failures = 0 } = {}) {
  const asked: string[] = []
  let now = 1_000_000
  const limitsOf = rememberLimits({
    ask: ({ userId }) => {
      asked.push(userId)
      if (asked.length <= failures) return Promise.reject(new Error('away'))
      return Promise.resolve({ maxBytes: asked.length })
    },
    clock: () => new Date(now),
  })
  return { asked, limitsOf, pass: (ms: number) => (now += ms) }
}

test('an account is asked for once a second, however many files it sends', async () => {
  const { asked, limitsOf, pass } = countingLimits()
  const both = await Promise.all([limitsOf('a'), limitsOf('a')])
  pass(999)
  expect([...both, await limitsOf('a')].map(({ maxBytes }) => maxBytes)).toEqual([1, 1, 1])
  pass(1)
  expect(await limitsOf('a')).toEqual({ maxBytes: 2 })
  expect(asked).toEqual(['a', 'a'])
})

test('accounts do not share their limits', async () => {
  const { limitsOf } = countingLimits()
  expect(await limitsOf('a')).toEqual({ maxBytes: 1 })
  expect(await limitsOf('b')).toEqual({ maxBytes: 2 })
})

test('what failed is asked for again at once', async () => {
  const { limitsOf } = countingLimits({ failures: 1 })
  await expect(limitsOf('a')).rejects.toThrow('away')
  expect(await limitsOf('a')).toEqual({ maxBytes: 2 })
})

test('a clock that was set back does not keep an old limit', async () => {
  const { limitsOf, pass } = countingLimits()
  await limitsOf('a')
  pass(-3_600_000)
  expect(await limitsOf('a')).toEqual({ maxBytes: 2 })
})
