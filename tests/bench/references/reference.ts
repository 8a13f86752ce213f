import type { Running } from '../harness/process.ts'

/** A server Floe is compared with. */
export interface Reference {
  /** With its version, as the report shows it. */
  name: string
  port: number
  pid: number
  /** Where its files are. */
  folder: string
  stop: () => Promise<void>
}

export function toReference(
  running: Running,
  details: { name: string; port: number; folder: string },
): Reference {
  return { ...details, pid: running.pid, stop: running.stop }
}
