import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from './free-port.ts'

export interface MinioServer {
  endpoint: string
  accessKey: string
  secretKey: string
  /** `<bucket>/<key>` in it is a folder for each object. */
  directory: string
  start(): Promise<void>
  /** Killed: what it has not stored is lost. */
  stop(): Promise<void>
  /** Ends it for good, with all it holds. */
  remove(): Promise<void>
}

const startTimeoutMs = 30_000

/** A real MinIO from the PATH on a free port of this machine, not yet started. */
export async function reserveMinioServer(): Promise<MinioServer> {
  const port = await findFreePort()
  const directory = await mkdtemp(join(tmpdir(), 'floe-minio-'))
  const endpoint = `http://127.0.0.1:${port}`
  const [accessKey, secretKey] = ['floe', 'a secret of the tests']
  let child: ChildProcess | undefined

  async function stop(): Promise<void> {
    if (!child) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    child = undefined
  }

  return {
    endpoint,
    accessKey,
    secretKey,
    directory,
    async start() {
      child = spawn('minio', ['server', '--quiet', '--address', `127.0.0.1:${port}`, directory], {
        stdio: 'ignore',
        env: {
          ...process.env,
          MINIO_ROOT_USER: accessKey,
          MINIO_ROOT_PASSWORD: secretKey,
          MINIO_BROWSER: 'off',
          MINIO_UPDATE: 'off',
        },
      })
      await answers(endpoint, child)
    },
    stop,
    async remove() {
      await stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function answers(endpoint: string, child: ChildProcess): Promise<void> {
  let failure: Error | undefined
  child.once('error', (cause) => {
    failure = new Error('These tests need minio on the PATH', { cause })
  })
  child.once('exit', (code) => {
    failure ??= new Error(`minio ended with ${code}`)
  })
  const deadline = Date.now() + startTimeoutMs
  for (;;) {
    if (failure) throw failure
    const answer = await fetch(`${endpoint}/minio/health/live`).catch(() => null)
    if (answer?.ok) return
    if (Date.now() > deadline) throw new Error('minio does not answer')
    await sleep(50)
  }
}
