export interface RequestMetrics {
  method: string
  /** A pattern, of which there are few; never what stood in the path. */
  route: string
  status: number
  durationMs: number
}

export type JobOutcome = 'completed' | 'failed' | 'interrupted'

/** How many jobs of one name are in each state now. */
export interface JobCounts {
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

/** What a process counts of its work. Nothing here can fail, or be told about anybody. */
export interface Metrics {
  requestCompleted(request: RequestMetrics): void
  transferBegins(direction: 'upload' | 'download'): TransferReading
  jobStarts(job: string): (outcome: JobOutcome) => void
  mailEnds(outcome: 'sent' | 'failed'): void
  /** Read whenever the figures are asked for. */
  watchPool(read: () => PoolState): void
  watchJobs(read: () => Promise<readonly JobCounts[]>): void
}

/** Where nobody looks at figures, none are kept. */
export const noMetrics: Metrics = {
  requestCompleted: () => undefined,
  transferBegins: () => ({ moved: () => undefined, end: () => undefined }),
  jobStarts: () => () => undefined,
  mailEnds: () => undefined,
  watchPool: () => undefined,
  watchJobs: () => undefined,
}
