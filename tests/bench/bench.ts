import type { LoadClient } from './client/load-client.ts'
import type { Line } from './harness/report.ts'
import type { Scratch } from './harness/scratch.ts'

/** What a row of the benchmark works with. */
export interface Bench {
  scratch: Scratch
  /** Survives the run: compiled clients and references. */
  cacheFolder: string
  load: LoadClient
  /** Smaller sizes, one round: shows that the harness works, not how fast anything is. */
  isQuick: boolean
  /** Paired runs of each comparison. */
  rounds: number
}

export interface Row {
  name: string
  measure: (bench: Bench) => Promise<Line[]>
}
