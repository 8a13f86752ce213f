import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { FloeUnderTest } from './start-arrangements.ts'

const run = promisify(execFile)

/** A line of a log, as far as tests look at it. */
export interface LogLine {
  service: string
  msg: string
  requestId?: string | null
  [field: string]: unknown
}

/** What the processes of a Floe logged about one request, oldest first. */
export async function linesAbout(
  { logFile }: Pick<FloeUnderTest, 'logFile'>,
  requestId: string,
): Promise<LogLine[]> {
  const text = await readFile(logFile, 'utf8')
  return text
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes(requestId))
    .map((line) => JSON.parse(line) as LogLine)
    .filter((line) => line.requestId === requestId)
}

/** Fails with the lines that hold any of the secrets. */
export async function searchLogs(files: readonly string[], secretsFile: string): Promise<void> {
  const lines = await grep(['-n', '-F', '-f', secretsFile, ...files])
  if (lines.length === 0) return
  const secrets = await grep(['-n', '-o', '-F', '-f', secretsFile, ...files])
  throw new Error(
    `${lines.length} lines of the logs hold a secret:\n${[...lines.slice(0, 20), ...secrets.slice(0, 20)].join('\n')}`,
  )
}

async function grep(args: readonly string[]): Promise<string[]> {
  try {
    const { stdout } = await run('grep', args, { maxBuffer: 2 ** 30 })
    return stdout.trimEnd().split('\n')
  } catch (error) {
    // It ends with 1 when there is nothing to be found.
    if ((error as { code: unknown }).code === 1) return []
    throw error
  }
}
