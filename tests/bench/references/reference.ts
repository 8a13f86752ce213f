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
  facts: { name: string; port: number; folder: string },
): Reference {
  return { ...facts, pid: running.pid, stop: running.stop }
}
