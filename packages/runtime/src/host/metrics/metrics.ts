export interface RequestMetrics {
  method: string
  /** A pattern, of which there are few; never the path itself. */
  route: string
  status: number
  durationMs: number
}

export type JobOutcome = 'completed' | 'failed' | 'interrupted'

/** How many jobs of one name are in each state now. */
export interface JobMetrics {
  name: string
  waiting: number
  active: number
  delayed: number
  failed: number
  completed: number
}

export interface PoolState {
  used: number
  free: number
  /** Those that wait for a connection. */
  waiting: number
}

export interface TransferReading {
  moved(bytes: number): void
  end(): void
}

/** What a process counts of its work. Nothing here can fail, or tell about a person. */
export interface Metrics {
  requestCompleted(request: RequestMetrics): void
  transferBegins(direction: 'upload' | 'download'): TransferReading
  jobStarts(job: string): (outcome: JobOutcome) => void
  mailEnds(outcome: 'sent' | 'failed'): void
  /** Read whenever the metrics are scraped. */
  watchPool(read: () => PoolState): void
  watchJobs(read: () => Promise<readonly JobMetrics[]>): void
}

/** Where no metrics are asked for, none are kept. */
export const noMetrics: Metrics = {
  requestCompleted: () => undefined,
  transferBegins: () => ({ moved: () => undefined, end: () => undefined }),
  jobStarts: () => () => undefined,
  mailEnds: () => undefined,
  watchPool: () => undefined,
  watchJobs: () => undefined,
}
