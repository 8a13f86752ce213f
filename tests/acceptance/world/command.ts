import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export interface Verdict {
  code: number | null
  lines: string[]
  errors: string
}

export type CommandName =
  'backup' | 'export' | 'import' | 'migrate' | 'restore' | 'unlock' | 'verify'

/** `npm run <name> -- <args>` with the environment of the server that has this data directory. */
export async function runCommand(
  name: CommandName,
  environment: { DATA_DIR: string } & Record<string, string>,
  ...args: string[]
): Promise<Verdict> {
  const child = startCommand(name, environment, ...args)
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, lines: output.trimEnd().split('\n'), errors }
}

/** The same, for a test that ends it before it ends by itself. */
export function startCommand(
  name: CommandName,
  environment: { DATA_DIR: string } & Record<string, string>,
  ...args: string[]
): ChildProcessByStdio<null, Readable, Readable> {
  const program = fileURLToPath(new URL(`../../../bin/${name}.mjs`, import.meta.url))
  return spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
