import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../../bin/verify.mjs', import.meta.url))

export interface Verdict {
  code: number | null
  /** Each difference, then what was checked. */
  lines: string[]
  errors: string
}

/** `npm run verify` with the environment of the server that has this data directory. */
export async function verify(dataDirectory: string, ...args: string[]): Promise<Verdict> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, DATA_DIR: dataDirectory },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, lines: output.trimEnd().split('\n'), errors }
}
