import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const built = fileURLToPath(new URL('../../../packages/cli/dist/floe.mjs', import.meta.url))

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  cwd?: string
  /** What comes through a pipe; nothing otherwise. */
  input?: string | Buffer
  env?: Record<string, string>
}

/** The command line as it is installed: one file, in a folder of its own, for a user of its own. */
export interface CommandLine {
  folder: string
  start(args: readonly string[], options?: RunOptions): ChildProcessWithoutNullStreams
  run(args: readonly string[], options?: RunOptions): Promise<Outcome>
  remove(): Promise<void>
}

export async function installCommandLine(): Promise<CommandLine> {
  const folder = await mkdtemp(join(tmpdir(), 'floe-cli-'))
  const program = join(folder, 'floe.mjs')
  await copyFile(built, program)

  function start(args: readonly string[], { cwd = folder, env = {} }: RunOptions = {}) {
    return spawn(process.execPath, [program, ...args], {
      cwd,
      // Nothing of the tests' own environment.
      env: { PATH: process.env['PATH'], HOME: folder, ...env },
    })
  }

  return {
    folder,
    start,
    async run(args, options = {}) {
      const child = start(args, options)
      // One that is refused reads nothing.
      child.stdin.on('error', () => undefined)
      child.stdin.end(options.input)
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close') as Promise<[number | null]>,
      ])
      return { code, stdout, stderr }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
