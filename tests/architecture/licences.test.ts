import { expect, test } from 'vitest'
import { listThirdParties, type ThirdParty } from '../../deploy/release/locked-packages.ts'

/** These ask for a notice at most. */
const free = [
  '0BSD',
  'Unlicense',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
]
const allowed = new Set([...free, 'MIT', 'MIT-0', '(MIT OR CC0-1.0)'])

/** Package, or the beginning of its name → its licence. */
const others = {
  // Libraries of their own beside the code, which anybody may replace.
  '@img/sharp-libvips-': 'LGPL-3.0-or-later',
  '@img/sharp-wasm32': 'Apache-2.0 AND LGPL-3.0-or-later AND MIT',
  '@img/sharp-win32-': 'Apache-2.0 AND LGPL-3.0-or-later',
  // Name their licence, MIT, in their text alone.
  busboy: undefined,
  'combine-errors': undefined,
  streamsearch: undefined,
  // Never shipped: tests, and the tools of the build.
  'axe-core': 'MPL-2.0',
  argparse: 'Python-2.0',
  elkjs: 'EPL-2.0',
  lightningcss: 'MPL-2.0',
}

function isKnown({ name, license }: ThirdParty): boolean {
  if (license !== undefined && allowed.has(license)) return true
  return Object.entries(others).some(
    ([start, theirs]) => name.startsWith(start) && license === theirs,
  )
}

test('every dependency has a licence that is known here', () => {
  expect(listThirdParties().filter((one) => !isKnown(one))).toEqual([])
})

test('no exception is left over', () => {
  const locked = listThirdParties().filter(({ license }) => !license || !allowed.has(license))
  const unused = Object.keys(others).filter(
    (start) => !locked.some(({ name }) => name.startsWith(start)),
  )
  expect(unused).toEqual([])
})
