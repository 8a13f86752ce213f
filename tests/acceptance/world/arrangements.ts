import { type Arrangement, isFullRun } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import type { FloeUnderTest } from './start-arrangements.ts'
import { takeTurn } from './turns.ts'

/** As long as everything that other files do with the same Floe may take. */
const LONGEST_WAIT_MS = 1_200_000

export function floeOf(arrangement: Arrangement): FloeUnderTest {
  const found = inject('floes')?.find((floe) => floe.arrangement === arrangement)
  if (!found) throw new Error(`no ${arrangement} Floe is running`)
  return found
}

export function everyFloe(): FloeUnderTest[] {
  return inject('floes') ?? []
}

/** Those of a test that starts Floes of its own, where nothing depends on their number of processes. */
export const ownArrangements: readonly Arrangement[] = isFullRun
  ? ['embedded', 'split']
  : ['embedded']

/**
 * The same tests against both arrangements in every run: for what a proxy or a second replica may
 * change. What they assert is equal in both, and their responses are compared at the end.
 */
export function onBothArrangements(name: string, define: (floe: FloeUnderTest) => void): void {
  onEach(everyFloe(), name, define)
}

/** Against this arrangement alone, and in the full run against both. */
export function onOneArrangement(
  arrangement: Arrangement,
  name: string,
  define: (floe: FloeUnderTest) => void,
): void {
  onEach(oneFloe(arrangement), name, define)
}

/** That of this arrangement alone, and in the full run both. */
export function oneFloe(arrangement: Arrangement): FloeUnderTest[] {
  return isFullRun ? everyFloe() : [floeOf(arrangement)]
}

function onEach(
  floes: readonly FloeUnderTest[],
  name: string,
  define: (floe: FloeUnderTest) => void,
): void {
  describe.each(floes)(`${name}, $arrangement`, (floe) => {
    haveAlone(floe)
    define(floe)
  })
}

/**
 * Keeps other files from this Floe while the tests around this call run: files run side by side,
 * and settings are those of the whole installation. Comes before every other hook; a test
 * that needs both Floes takes them in the order of `everyFloe`.
 */
export function haveAlone({ turnsPort }: FloeUnderTest): void {
  let end: (() => Promise<void>) | undefined
  beforeAll(async () => {
    end = await takeTurn(turnsPort)
    // It is still called as the test before was.
    expect.setState({ currentTestName: '' })
  }, LONGEST_WAIT_MS)
  afterAll(() => end?.())
}
