import { expect, it } from 'vitest'
import { createAskWhileComing } from './ask-while-coming.ts'

const state = (responses: number, received: number, files = 0) => ({ responses, received, files })

it('asks every two seconds while something comes', () => {
  const ask = createAskWhileComing()
  expect([1, 2, 3, 4].map((turn) => ask(state(turn, turn * 10)))).toEqual([2000, 2000, 2000, 2000])
})

it('asks less and less often while nothing comes, and soon again once something does', () => {
  const ask = createAskWhileComing()
  const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((turn) => ask(state(turn, 10)))
  expect(pauses.slice(0, 3)).toEqual([2000, 3000, 4500])
  expect(pauses.at(-1)).toBe(30_000)
  expect(ask(state(10, 11))).toBe(2000)
})

it('says the same however often it is asked about one response', () => {
  const ask = createAskWhileComing()
  ask(state(1, 10))
  expect([ask(state(2, 10)), ask(state(2, 10))]).toEqual([3000, 3000])
})

it('asks for a long list less often', () => {
  expect(createAskWhileComing()(state(1, 10, 3000))).toBe(8000)
})
