import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { UsageError } from './failures.ts'
import { writeOutput } from './output.ts'

export interface Terminal {
  isJson: boolean
  /** Whether there is somebody who watches: both of progress and of questions. */
  isWatched: boolean
  /** What a script takes: the link, the list. */
  print(line: string): void
  /** One value, where `--json` asks for it. */
  printJson(value: unknown): void
  /** What people read. */
  note(line: string): void
  warn(line: string): void
  /** Replaces the last line of this kind. */
  showProgress(line: string): void
  clearProgress(): void
  bold(text: string): string
  dim(text: string): string
  /** Asks without showing what is typed. Throws where nobody could answer. */
  askSecret(question: string): Promise<string>
  /** The first line of the standard input. */
  readLine(): Promise<string>
}

export interface TerminalOptions {
  isJson: boolean
  isQuiet: boolean
  env: NodeJS.ProcessEnv
}

/** Results go to the standard output, everything else to the standard error. */
export function createTerminal({ isJson, isQuiet, env }: TerminalOptions): Terminal {
  const { stderr, stdin } = process
  const isWatched = stderr.isTTY && !isJson && !isQuiet
  const hasColors = stderr.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  const style = (code: number, text: string) => (hasColors ? `\x1b[${code}m${text}\x1b[0m` : text)
  let isProgressShown = false
  // Who cannot be told how it goes still gets what was asked for.
  stderr.on('error', () => undefined)

  function clearProgress(): void {
    if (isProgressShown) stderr.write('\r\x1b[K')
    isProgressShown = false
  }

  return {
    isJson,
    isWatched,
    print: (line) => writeOutput(`${line}\n`),
    printJson: (value) => writeOutput(`${JSON.stringify(value)}\n`),
    note(line) {
      clearProgress()
      if (!isQuiet && !isJson) stderr.write(`${line}\n`)
    },
    warn(line) {
      clearProgress()
      stderr.write(`floe: ${line}\n`)
    },
    showProgress(line) {
      if (!isWatched) return
      stderr.write(`\r\x1b[K${line.slice(0, Math.max(20, stderr.columns - 1))}`)
      isProgressShown = true
    },
    clearProgress,
    bold: (text) => style(1, text),
    dim: (text) => style(2, text),
    async askSecret(question) {
      clearProgress()
      if (!stdin.isTTY || !stderr.isTTY) {
        throw new UsageError(`${question} is needed, and there is no terminal to ask for it.`)
      }
      return askHidden(question, stderr)
    },
    async readLine() {
      const [line = ''] = (await text(stdin)).split(/\r?\n/, 1)
      return line
    },
  }
}

function askHidden(question: string, stderr: Writable): Promise<string> {
  stderr.write(`${question}: `)
  const silent = createInterface({ input: process.stdin, terminal: true })
  return new Promise((resolve, reject) => {
    silent.once('SIGINT', () => {
      silent.close()
      stderr.write('\n')
      reject(new UsageError('Nothing was entered.'))
    })
    silent.question('', (typed) => {
      silent.close()
      stderr.write('\n')
      resolve(typed)
    })
  })
}
