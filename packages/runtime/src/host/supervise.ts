import type { ChildProcess } from 'node:child_process'
import { StartError } from '@floe/db'
import type { Log } from '@floe/log'

export interface SuperviseOptions {
  name: string
  start(): ChildProcess
  /** Resolves once this process is ready to work; the end of the process is seen without it. */
  isReady(child: ChildProcess): Promise<void>
  log: Pick<Log, 'info' | 'warn'>
  /** Before it is started again. */
  pauseMs?: number
}

export interface SupervisedProcess {
  /** Once ready for the first time; fails where the process ends before. */
  ready: Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a process again whenever it ends, whatever the reason, as the restart policy of a container
 * does. A first start that fails is told instead: it is somebody's mistake.
 */
export function supervise({
  name,
  start,
  isReady,
  log,
  pauseMs = 500,
}: SuperviseOptions): SupervisedProcess {
  let child: ChildProcess
  let pause: NodeJS.Timeout | undefined
  let isStopping = false
  const ready = launch(false)

  function launch(isAgain: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      let wasReady = false
      const ended = (reason: string) => {
        if (isStopping) return
        if (!wasReady && !isAgain) {
          reject(new StartError(`The ${name} service ended with ${reason}.`))
          return
        }
        log.warn({ process: name, reason }, 'process exited; restarting it')
        pause = setTimeout(() => void launch(true), pauseMs)
      }
      child = start()
      // A process that did start has errors of its channel too, and tells its end by itself.
      const { pid } = child
      child.on('error', (error) => {
        if (pid === undefined) ended(error.message)
      })
      child.once('exit', (code, signal) => ended(String(signal ?? code)))
      void isReady(child).then(() => {
        wasReady = true
        if (isAgain) log.info({ process: name }, 'process restarted')
        resolve()
      })
    })
  }

  return {
    ready,
    stop: async () => {
      isStopping = true
      clearTimeout(pause)
      await stopChild(child)
    },
  }
}

export function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
    return Promise.resolve()
  }
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}
