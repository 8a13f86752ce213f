import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Answer, Request } from './messages.ts'

/** The process that decodes, as its parent sees it. It never keeps the parent from ending. */
export interface DecodeChild {
  isGone(): boolean
  /** The next answer; null when the process is gone. */
  nextAnswer(): Promise<Answer | null>
  /** Resolves once the message has left this process; false when the other one is gone. */
  send(request: Request): Promise<boolean>
  /** Without asking. Resolves when it is gone. */
  kill(): Promise<void>
}

export interface DecodeLog {
  debug(fields: object, message: string): void
}

/** Beside this file, as it is written or as it is built. */
const isBuilt = !import.meta.url.endsWith('.ts')
const program = fileURLToPath(
  new URL(isBuilt ? './decode-process.js' : './decode-process.ts', import.meta.url),
)
const execArgv = isBuilt ? [] : ['--import', 'tsx']

export function startDecodeChild(log: DecodeLog): DecodeChild {
  const child = fork(program, {
    execArgv,
    // None of ours: a picture that takes the process over finds no secrets in it.
    env: { MALLOC_ARENA_MAX: '2' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.unref()
  child.channel?.unref()

  log.debug({ pid: child.pid }, 'image process started')

  const answers: Answer[] = []
  let isGone = false
  let wake = () => {}
  const gone = new Promise<void>((resolve) => {
    const end = () => {
      isGone = true
      wake()
      resolve()
    }
    child.once('exit', end)
    // Could not be started, or could not be sent a message: both end in its exit, or never began.
    child.on('error', () => child.pid === undefined && end())
  })
  child.on('message', (answer: Answer) => {
    answers.push(answer)
    wake()
  })

  return {
    isGone: () => isGone,
    nextAnswer: async () => {
      while (answers.length === 0 && !isGone) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return answers.shift() ?? null
    },
    // Node does not promise to call back for what was on its way to a process that died.
    send: (request) => Promise.race([sendTo(child, request), gone.then(() => false)]),
    kill: () => {
      child.kill('SIGKILL')
      return gone
    },
  }
}

function sendTo(child: ChildProcess, request: Request): Promise<boolean> {
  return new Promise((resolve) => {
    if (child.connected) child.send(request, (error) => resolve(error === null))
    else resolve(false)
  })
}
