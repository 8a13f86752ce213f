import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { DecodeResponse, DecodeRequest } from './messages.ts'

/** The process that decodes, as its parent sees it. It never keeps the parent from ending. */
export interface DecodeChild {
  isGone(): boolean
  /** The next response; null when the process is gone. */
  nextResponse(): Promise<DecodeResponse | null>
  /** Resolves once the message has left this process; false when the other one is gone. */
  send(request: DecodeRequest): Promise<boolean>
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

  const responses: DecodeResponse[] = []
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
  child.on('message', (response: DecodeResponse) => {
    responses.push(response)
    wake()
  })

  return {
    isGone: () => isGone,
    nextResponse: async () => {
      while (responses.length === 0 && !isGone) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return responses.shift() ?? null
    },
    // Node does not promise to call back for what was on its way to a process that died.
    send: (request) => Promise.race([sendTo(child, request), gone.then(() => false)]),
    kill: () => {
      child.kill('SIGKILL')
      return gone
    },
  }
}

function sendTo(child: ChildProcess, request: DecodeRequest): Promise<boolean> {
  return new Promise((resolve) => {
    if (child.connected) child.send(request, (error) => resolve(error === null))
    else resolve(false)
  })
}
