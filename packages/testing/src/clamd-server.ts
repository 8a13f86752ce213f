import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from './free-port.ts'

/** What clamd calls `infectedText` here. */
export const THREAT = 'Eicar-Test-Signature'

/** The test file of EICAR, in two parts so that no scanner stumbles over this one. */
export const infectedText = [
  'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR',
  '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*',
].join('')

export interface ClamdServer {
  host: string
  port: number
  /** The same clamd by a socket of the file system. */
  socketPath: string
  start(): Promise<void>
  /** Killed. */
  stop(): Promise<void>
  /** Stops in the middle of what it does, and goes on: connections stay open. */
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

export interface ClamdServerOptions {
  /** Lines of `clamd.conf`. */
  settings?: readonly string[]
}

/** A real `clamd` that knows one signature, on a free port of this machine. */
export async function startClamdServer({
  settings = [],
}: ClamdServerOptions = {}): Promise<ClamdServer> {
  const folder = await mkdtemp(join(tmpdir(), 'floe-clamd-'))
  const port = await findFreePort()
  const socketPath = join(folder, 'socket')
  await mkdir(join(folder, 'signatures'))
  const signature = Buffer.from(infectedText).toString('hex')
  await writeFile(join(folder, 'signatures', 'test.ndb'), `${THREAT}:0:*:${signature}\n`)
  await writeFile(
    join(folder, 'clamd.conf'),
    [
      `DatabaseDirectory ${join(folder, 'signatures')}`,
      `TemporaryDirectory ${folder}`,
      `LocalSocket ${socketPath}`,
      'TCPAddr 127.0.0.1',
      `TCPSocket ${port}`,
      'Foreground yes',
      'AlertExceedsMax yes',
      ...settings,
      '',
    ].join('\n'),
  )
  let child: ChildProcess | undefined

  const stop = async () => {
    if (!child) return
    const exited = once(child, 'exit')
    if (child.kill('SIGKILL')) await exited
    child = undefined
  }
  const start = async () => {
    await rm(socketPath, { force: true })
    child = await startClamd(folder, port)
  }
  await start()

  return {
    host: '127.0.0.1',
    port,
    socketPath,
    start,
    stop,
    freeze: () => child?.kill('SIGSTOP'),
    thaw: () => child?.kill('SIGCONT'),
    close: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function startClamd(folder: string, port: number): Promise<ChildProcess> {
  const child = spawn('/usr/sbin/clamd', ['-c', join(folder, 'clamd.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('error', (cause) =>
      reject(
        new Error('These tests need /usr/sbin/clamd: Debian package clamav-daemon', { cause }),
      ),
    )
    child.once('exit', (code) => reject(new Error(`clamd ended with ${code}`)))
  })
  await Promise.race([untilOpen(port), ended])
  // Killed later, it ends on purpose.
  ended.catch(() => undefined)
  return child
}

/** It listens once its signatures are loaded. */
async function untilOpen(port: number): Promise<void> {
  while (!(await answersPing(port))) await wait(20)
}

function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write('zPING\0'))
    socket.once('data', () => socket.destroy())
    socket.once('data', () => resolve(true)).once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
  })
}
