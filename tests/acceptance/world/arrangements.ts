import type { Arrangement } from '@floe/testing'
import { describe, inject } from 'vitest'
import type { FloeUnderTest } from './start-arrangements.ts'

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
  describe.each(everyFloe())(`${name}, $arrangement`, define)
}
