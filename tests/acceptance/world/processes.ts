import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export interface RunningProcess {
  pid: number
  parent: number
  commandLine: string
  environment: Readonly<Record<string, string>>
  directory: string
}

/** Every process of this machine that can be looked into. */
export function listProcesses(): RunningProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [readProcess(name)]
      } catch {
        // It ended meanwhile, or is another user's.
        return []
      }
    })
}

function readProcess(name: string): RunningProcess {
  const read = (file: string) => readFileSync(`/proc/${name}/${file}`, 'utf8')
  const variables = read('environ').split('\0')
  return {
    pid: Number(name),
    // The name in parentheses may itself contain spaces and parentheses.
    parent: Number(/.*\) \S+ (\d+) /s.exec(read('stat'))?.[1]),
    commandLine: read('cmdline').replaceAll('\0', ' '),
    environment: Object.fromEntries(
      variables.filter(Boolean).map((line) => {
        const end = line.indexOf('=')
        return [line.slice(0, end), line.slice(end + 1)]
      }),
    ),
    directory: readlinkSync(`/proc/${name}/cwd`),
  }
}

/** Those of the Floe with this data directory, its databases too. */
export function findProcesses(dataDirectory: string): RunningProcess[] {
  const all = listProcesses()
  const found = new Set(
    all.filter(
      ({ environment, directory }) =>
        environment['DATA_DIR'] === dataDirectory ||
        `${directory}/`.startsWith(`${dataDirectory}/`),
    ),
  )
  // A set tells of what is added while it is walked.
  for (const { pid } of found) {
    for (const child of all) if (child.parent === pid) found.add(child)
  }
  return [...found]
}

/** What all threads of these processes have computed so far: other work of the machine is not in it. */
export function computedMs(pids: readonly number[]): number {
  const threads = pids.flatMap((pid) =>
    readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/schedstat`),
  )
  return (
    threads.reduce((sum, path) => sum + Number(readFileSync(path, 'utf8').split(' ')[0]), 0) / 1e6
  )
}
