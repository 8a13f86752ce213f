import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import type { QueuePlace } from './open-queue.ts'

export interface WorkerProcess {
  /** Resolves when it has said the word. */
  says(word: 'ready' | 'running'): Promise<void>
  /** Ends it without a chance to clean up. */
  kill(): Promise<void>
}

export function startWorkerProcess({ kind, url }: QueuePlace, lockMs: number): WorkerProcess {
  const script = fileURLToPath(new URL('worker-process.ts', import.meta.url))
  const child = spawn(
    process.execPath,
    ['--conditions=source', '--import', 'tsx', script, kind, url, `${lockMs}`],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const said = collectWords(child)
  return {
    says: said,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

function collectWords(child: ChildProcess): (word: string) => Promise<void> {
  let output = ''
  const listeners = new Set<() => void>()
  const wakeAll = () => listeners.forEach((listener) => listener())
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
    wakeAll()
  })
  child.on('exit', wakeAll)

  return (word) =>
    new Promise((resolve, reject) => {
      function check(): void {
        if (output.includes(word)) resolve()
        else if (child.exitCode !== null) reject(new Error(`It ended before it said ${word}`))
        else return
        listeners.delete(check)
      }
      listeners.add(check)
      check()
    })
}
