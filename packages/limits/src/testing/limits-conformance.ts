import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RateLimit, RateLimits } from '../rate-limits.ts'

/** One store and what a suite needs of it. */
export interface LimitsHome {
  /** Another replica counting in the same store. */
  open(): RateLimits
  /** One whose store cannot be reached. */
  openUnreachable(): RateLimits
  /** Everything the store holds, as text. */
  dump(): Promise<string>
  remove(): Promise<void>
}

const limit: RateLimit = { name: 'wrong-password', points: 5, windowSeconds: 60 }

interface Suite {
  home: LimitsHome
  limits: RateLimits
}

/** The guarantees of `RateLimits`, for every store. */
export function describeLimits(name: string, createHome: () => Promise<LimitsHome>): void {
  describe(`limits in ${name}`, () => {
    let home: LimitsHome
    let limits: RateLimits

    beforeAll(async () => {
      home = await createHome()
      limits = home.open()
    })
    afterAll(() => home.remove())

    describe('counting', () => describeCounting(() => ({ home, limits })))
    describe('windows', () => describeWindows(() => ({ home, limits })))
    describe('keys', () => describeKeys(() => ({ home, limits })))
  })
}

function describeCounting(suite: () => Suite): void {
  let home: LimitsHome
  let limits: RateLimits

  beforeAll(() => {
    home = suite().home
    limits = suite().limits
  })

  it('counts what is spent until more than the limit was', async () => {
    const key = randomUUID()
    await expect(limits.spend(limit, key)).resolves.toEqual({
      isExceeded: false,
      spent: 1,
      remaining: 4,
      resetMs: expect.closeTo(60_000, -3),
    })
    await expect(limits.spend(limit, key, 4)).resolves.toMatchObject({
      isExceeded: false,
      spent: 5,
      remaining: 0,
    })
    await expect(limits.spend(limit, key)).resolves.toMatchObject({
      isExceeded: true,
      spent: 6,
      remaining: 0,
    })
  })

  it('counts every one of many parallel spends, across replicas', async () => {
    const key = randomUUID()
    const other = home.open()
    const states = await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 2 ? limits : other).spend(limit, key)),
    )
    const spent = states.map((state) => state.spent).sort((a, b) => a - b)
    expect(spent).toEqual(Array.from({ length: 60 }, (_, index) => index + 1))
    expect(states.filter(({ isExceeded }) => isExceeded)).toHaveLength(55)
  })

  it('shows what another replica spent, and spends nothing by looking', async () => {
    const key = randomUUID()
    await limits.spend(limit, key, 2)
    const other = home.open()
    await other.peek(limit, key)
    await expect(other.peek(limit, key)).resolves.toEqual({
      isExceeded: false,
      spent: 2,
      remaining: 3,
      resetMs: expect.closeTo(60_000, -3),
    })
  })

  it('finds nothing where nothing was spent', async () => {
    await expect(limits.peek(limit, randomUUID())).resolves.toEqual({
      isExceeded: false,
      spent: 0,
      remaining: 5,
      resetMs: 0,
    })
  })

  it('begins anew once told to forget', async () => {
    const key = randomUUID()
    await limits.spend(limit, key, 9)
    await limits.forget(limit, key)
    await expect(limits.peek(limit, key)).resolves.toMatchObject({ spent: 0, isExceeded: false })
    await expect(limits.spend(limit, key)).resolves.toMatchObject({ spent: 1 })
  })

  it('forgets what it never knew', async () => {
    await expect(limits.forget(limit, randomUUID())).resolves.toBeUndefined()
  })
}

function describeWindows(suite: () => Suite): void {
  let limits: RateLimits

  beforeAll(() => {
    limits = suite().limits
  })

  it('ends a window after its time, however much is spent within it', async () => {
    const brief = { ...limit, name: 'brief', windowSeconds: 1 }
    const key = randomUUID()
    const startedAt = Date.now()
    const first = await limits.spend(brief, key, 9)
    expect(first.resetMs).toBeLessThanOrEqual(1_000)
    // Each round spends: were the window prolonged, it would never end.
    const next = await pollUntil(
      () => limits.spend(brief, key),
      ({ spent }) => spent < 9,
    )
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(900)
    expect(next).toMatchObject({ spent: 1, isExceeded: false, remaining: 4 })
  })

  it('shows an ended window as none', async () => {
    const brief = { ...limit, name: 'brief', windowSeconds: 1 }
    const key = randomUUID()
    await limits.spend(brief, key, 9)
    const state = await pollUntil(
      () => limits.peek(brief, key),
      ({ spent }) => spent === 0,
    )
    expect(state).toEqual({ isExceeded: false, spent: 0, remaining: 5, resetMs: 0 })
  })
}

function describeKeys(suite: () => Suite): void {
  let home: LimitsHome
  let limits: RateLimits

  beforeAll(() => {
    home = suite().home
    limits = suite().limits
  })

  it('keeps keys apart, and limits of one key', async () => {
    const [one, other] = [randomUUID(), randomUUID()]
    await limits.spend(limit, one, 3)
    await limits.spend({ ...limit, name: 'wrong-code' }, one, 2)
    await expect(limits.peek(limit, other)).resolves.toMatchObject({ spent: 0 })
    await expect(limits.peek(limit, one)).resolves.toMatchObject({ spent: 3 })
  })

  it('stores no key as it is', async () => {
    const key = `somebody@example.org 192.0.2.1 ${randomUUID()}`
    await limits.spend(limit, key)
    const dump = await home.dump()
    expect(dump).toContain(limit.name)
    expect(dump).not.toContain('example.org')
    expect(dump).not.toContain('192.0.2.1')
  })

  it('takes any key', async () => {
    const key = `\0 ' " : ${'ü'.repeat(5_000)}`
    await limits.spend(limit, key)
    await expect(limits.peek(limit, key)).resolves.toMatchObject({ spent: 1 })
  })

  it('fails when its store cannot be reached', async () => {
    const lost = home.openUnreachable()
    const failure = { code: 'upstream_unavailable' }
    await expect(lost.spend(limit, 'key')).rejects.toMatchObject(failure)
    await expect(lost.peek(limit, 'key')).rejects.toMatchObject(failure)
    await expect(lost.forget(limit, 'key')).rejects.toMatchObject(failure)
  })
}

async function pollUntil<T>(ask: () => Promise<T>, isDone: (state: T) => boolean): Promise<T> {
  const deadline = Date.now() + 10_000
  for (;;) {
    const state = await ask()
    if (isDone(state)) return state
    if (Date.now() > deadline) throw new Error('The window does not end')
    await sleep(20)
  }
}
