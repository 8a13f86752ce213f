import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { StartError } from '@floe/db'
import { stopChild, v8Flags } from '@floe/runtime/host'
import type { RunningServer } from './replacements.ts'

export interface StartServerOptions {
  program: string
  port: number
  env: NodeJS.ProcessEnv
  /** Gets the lines of the log. */
  output: { write(line: string): void }
}

/** Resolves once the program serves; rejects if it ends before. */
export function startServer(options: StartServerOptions): Promise<RunningServer> {
  const { program, port, output } = options
  const env = { ...options.env, PORT: String(port), HOST: '127.0.0.1' }
  const child = spawn(process.execPath, [...v8Flags, '--enable-source-maps', program], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl-C in the terminal reaches this process only, which stops the server in order.
    detached: true,
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) =>
      reject(new StartError(`The server ended with ${signal ?? code}.`)),
    )
    readLines(child, (line) => {
      if (line.startsWith('{')) output.write(`${line}\n`)
      else if (line.startsWith('Floe is ready')) resolve({ port, stop: () => stopChild(child) })
    })
  })
}

function readLines({ stdout }: ChildProcess, take: (line: string) => void): void {
  if (stdout) createInterface({ input: stdout }).on('line', take)
}
