import { expect, it } from 'vitest'
import { isNewer } from './release.ts'

it.each([
  ['0.24.2', true],
  ['0.25.0', true],
  ['v0.25.0', true],
  ['0.25.0+floe.1', true],
  ['1.0.0', true],
  ['0.100.0', true],
  ['0.24.1+floe.3', true],
  ['0.24.1+floe.10', true],
  ['0.24.1-floe.3', true],
  ['v0.24.1-floe.3', true],
  ['0.24.1+floe.2', false],
  ['v0.24.1-floe.2', false],
  ['0.24.1+floe.1', false],
  ['0.24.1', false],
  ['0.24.0', false],
  ['0.24.0+floe.9', false],
  ['0.9.9', false],
  ['1.0.0-beta.1', false],
  ['0.24.1+other.3', false],
  ['latest', false],
  ['', false],
])('%s next to 0.24.1+floe.2 is newer: %s', (release, expected) => {
  expect(isNewer(release, '0.24.1+floe.2')).toBe(expected)
})

it("takes Floe's first release of a version for newer than the version alone", () => {
  expect(isNewer('0.24.1-floe.1', '0.24.1')).toBe(true)
})
