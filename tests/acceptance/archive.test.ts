import { onBothArrangements } from './world/arrangements.ts'
import { testLargeArchive } from './world/large-archive.ts'

onBothArrangements('Download all of a share of many files', (floe) =>
  testLargeArchive(floe, {
    smallFiles: 300,
    bigFileBytes: 30_000_001,
    requestBytes: 10_000_000,
  }),
)
