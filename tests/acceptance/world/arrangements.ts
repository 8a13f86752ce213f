import type { Arrangement } from '@floe/testing'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import type { FloeUnderTest } from './start-arrangements.ts'
import { takeTurn } from './turns.ts'

/** As long as everything that other files do with the same Floe may take. */
const LONGEST_WAIT_MS = 1_200_000

export function floeOf(arrangement: Arrangement): FloeUnderTest {
  const found = inject('floes').find((floe) => floe.arrangement === arrangement)
  if (!found) throw new Error(`no ${arrangement} Floe is running`)
  return found
}

export function everyFloe(): FloeUnderTest[] {
  return inject('floes')
}

/** The same tests against both arrangements: whatever they assert is equal in both. */
export function onBothArrangements(name: string, define: (floe: FloeUnderTest) => void): void {
  describe.each(everyFloe())(`${name}, $arrangement`, (floe) => {
    haveAlone(floe)
    define(floe)
  })
}

/**
 * Keeps other files from this Floe while the tests around this call run: files run side by side,
 * and settings are those of the whole installation. Comes before every other hook; who needs both
 * Floes takes them in the order of `everyFloe`.
 */
export function haveAlone({ turnsPort }: FloeUnderTest): void {
  let end: (() => Promise<void>) | undefined
  beforeAll(async () => {
    end = await takeTurn(turnsPort)
  }, LONGEST_WAIT_MS)
  afterAll(() => end?.())
}
