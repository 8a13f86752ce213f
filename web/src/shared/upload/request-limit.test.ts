import { expect, it } from 'vitest'
import { createRememberedLimit } from './request-limit.ts'

function browser() {
  const kept = new Map<string, string>()
  const clock = { now: 0 }
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  const visit = (mostBytes?: number) =>
    createRememberedLimit({
      storage,
      now: () => clock.now,
      ...(mostBytes !== undefined && { mostBytes }),
    })
  return { kept, clock, visit }
}

it('is none at first, 100 MB after a refusal, then half, down to 64 kB where nothing helps', () => {
  const limit = browser().visit()
  expect(limit.bytes()).toBe(Infinity)
  expect(limit.refused(4_000_000_000)).toBe(true)
  expect(limit.bytes()).toBe(100_000_000)
  let refusals = 0
  while (limit.refused(limit.bytes())) refusals += 1
  expect(refusals).toBe(11)
  expect(limit.bytes()).toBe(64_000)
})

it('is halved once for requests of one size that were refused at the same time', () => {
  const limit = browser().visit()
  for (let file = 0; file < 5; file += 1) expect(limit.refused(100_000_000)).toBe(true)
  expect(limit.bytes()).toBe(50_000_000)
})

it('follows a file that is smaller than itself', () => {
  const limit = browser().visit()
  limit.refused(3_000_000)
  expect(limit.bytes()).toBe(1_500_000)
})

it('is made no smaller than 1 MB by connections that are lost', () => {
  const limit = browser().visit()
  for (let loss = 0; loss < 20; loss += 1) limit.lost(Math.min(limit.bytes(), 4_000_000_000))
  expect(limit.bytes()).toBe(1_000_000)
})

it('begins at what is set', () => {
  expect(browser().visit(5_000_000).bytes()).toBe(5_000_000)
  expect(browser().visit(500_000_000).bytes()).toBe(500_000_000)
})

it('is remembered for a week once a file has arrived', () => {
  const { clock, visit } = browser()
  const first = visit()
  first.refused(100_000_000)
  expect(visit().bytes()).toBe(Infinity)
  first.confirm()
  clock.now = 6 * 86_400_000
  expect(visit().bytes()).toBe(50_000_000)
  clock.now = 8 * 86_400_000
  expect(visit().bytes()).toBe(Infinity)
})

it('is forgotten where what was kept is no such thing', () => {
  const { kept, visit } = browser()
  for (const text of ['', '{', '7', '{"bytes":"9","foundAt":0}', '{"bytes":1,"foundAt":0}']) {
    kept.set('floe-request-limit', text)
    expect(visit().bytes()).toBe(Infinity)
  }
})
