import { spawnSync } from 'node:child_process'
import { root } from './outputs.ts'

/** The message is for the person who makes the release. */
export class ReleaseError extends Error {}

interface CommandOptions {
  cwd?: string
  env?: Record<string, string>
}

/** Runs a program to its end, and returns what it printed. */
export function run(program: string, args: readonly string[], options: CommandOptions = {}) {
  const { status, stdout, error } = spawnSync(program, args, {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) {
    const ending = error?.message ?? `code ${status}; see the lines above`
    throw new ReleaseError(`${program} ${args[0] ?? ''} did not work: ${ending}.`)
  }
  return stdout
}

export function npm(args: readonly string[], options: CommandOptions = {}): string {
  const path = process.env['npm_execpath']
  return path?.endsWith('npm-cli.js')
    ? run(process.execPath, [path, ...args], options)
    : run('npm', args, options)
}
