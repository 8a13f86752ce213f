import { describe } from 'vitest'
import { floeOf, haveAlone } from '../world/arrangements.ts'
import { testLargeArchive } from '../world/large-archive.ts'

const GIB = 1024 ** 3

// One arrangement: what a proxy could change, smaller archives show.
describe('Download all of a share that needs ZIP64 for its length, offsets and entries', () => {
  const floe = floeOf('embedded')
  haveAlone(floe)
  testLargeArchive(floe, {
    smallFiles: 10_000,
    bigFileBytes: 4 * GIB + 1,
    requestBytes: GIB,
  })
})
