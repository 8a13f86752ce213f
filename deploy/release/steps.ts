import { writeApiDescription } from './api-description.ts'
import { packChart } from './chart.ts'
import { checkRelease } from './check.ts'
import { writeChecksums } from './checksums.ts'
import { packDocs } from './docs.ts'
import { copyCommandLine } from './command-line.ts'
import { packExecutable } from './executable.ts'
import { copyInstaller } from './installer.ts'
import { packKustomize } from './kustomize.ts'
import { writeNotes } from './notes.ts'
import { writeSbom } from './sbom.ts'
import { packTarball } from './tarball.ts'

export interface Options {
  /** As Node.js calls it: `x64` or `arm64`. */
  arch: string
  isDryRun: boolean
}

/** What each makes is in deploy/release/out; the workflow of a release takes them one by one. */
export const steps: Record<string, (options: Options) => Promise<void>> = {
  check: checkRelease,
  tarball: packTarball,
  installer: copyInstaller,
  'command-line': copyCommandLine,
  executable: packExecutable,
  sbom: writeSbom,
  docs: packDocs,
  openapi: writeApiDescription,
  kustomize: packKustomize,
  chart: packChart,
  notes: writeNotes,
  checksums: writeChecksums,
}
