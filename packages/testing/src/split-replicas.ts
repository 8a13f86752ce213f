import { readdirSync, readFileSync } from 'node:fs'

/** A process of a split Floe. */
export interface SplitReplica {
  /** Such as `file`. */
  service: string
  pid: number
  /** Its own; the same after it was started again. */
  url: string
  /** All it was started with. */
  environment: Readonly<Record<string, string>>
}

/** In the environment of a process that a test has added to those of a split Floe. */
export const ADDED_BY_TEST = 'FLOE_ADDED_BY_TEST'

/**
 * The processes of the services that work on this data directory right now, by service and port. A
 * process that is being started again is missing, or not ready yet; one that a test added, and will
 * stop, is left out.
 */
export function findReplicas(dataDirectory: string, service?: string): SplitReplica[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), environment: readEnvironmentOf(name) }))
    .filter(({ environment }) => environment['DATA_DIR'] === dataDirectory)
    .filter(({ environment }) => environment[ADDED_BY_TEST] === undefined)
    .flatMap(({ pid, environment }) => {
      const { SERVICES, PORT } = environment
      if (SERVICES === undefined || (service !== undefined && SERVICES !== service)) return []
      return [{ service: SERVICES, pid, url: `http://127.0.0.1:${PORT}`, environment }]
    })
    .sort((a, b) => `${a.service} ${a.url}`.localeCompare(`${b.service} ${b.url}`))
}

function readEnvironmentOf(pid: string): Record<string, string> {
  try {
    const text = readFileSync(`/proc/${pid}/environ`, 'utf8')
    return Object.fromEntries(
      text
        .split('\0')
        .filter((line) => line.includes('='))
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )
  } catch {
    // It ended meanwhile, or is another user's.
    return {}
  }
}
