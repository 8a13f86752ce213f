import { expect, it } from 'vitest'
import { createAskAgain } from './ask-again.ts'

it('asks less and less often, and no more half a minute after the last picture', () => {
  const askAgain = createAskAgain()
  const delays = [7, 7, 7, 7, 7].map((waiting, index) =>
    askAgain({ responses: index + 1, waiting }),
  )
  expect(delays).toEqual([2_000, 4_000, 8_000, 16_000, false])
})

it('goes on for as long as pictures come, and ends with the last of them', () => {
  const askAgain = createAskAgain()
  const delays = [9, 9, 9, 8, 8, 3, 3, 3, 1, 0].map((waiting, index) =>
    askAgain({ responses: index + 1, waiting }),
  )
  expect(delays).toEqual([2_000, 4_000, 8_000, 2_000, 4_000, 2_000, 4_000, 8_000, 2_000, false])
})

it('gives the same delay when it is asked twice about one response', () => {
  const askAgain = createAskAgain()
  askAgain({ responses: 1, waiting: 5 })
  const twice = [1, 2].map(() => askAgain({ responses: 2, waiting: 5 }))
  expect(twice).toEqual([4_000, 4_000])
})

it('begins anew where the responses do', () => {
  const askAgain = createAskAgain()
  askAgain({ responses: 6, waiting: 5 })
  expect(askAgain({ responses: 1, waiting: 9 })).toBe(2_000)
})
