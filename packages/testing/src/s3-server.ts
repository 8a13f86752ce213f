import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from './free-port.ts'
import { isFullRun } from './full-run.ts'

/** What these tests have for S3; `npm test` sees to their presence. */
export type S3Program = 'minio' | 'versitygw'

/** The second server is for the full run: what it does otherwise than the first changes rarely. */
export const s3Programs: readonly S3Program[] = isFullRun ? ['minio', 'versitygw'] : ['minio']

export interface S3Server {
  endpoint: string
  accessKey: string
  secretKey: string
  /** `<bucket>/<key>` in it is a folder for each object in MinIO, a file in the other. */
  directory: string
  start(): Promise<void>
  /** Killed: what it has not stored is lost. */
  stop(): Promise<void>
  /** Ends it for good, with all it holds. */
  remove(): Promise<void>
}

interface Invocation {
  args(listen: string, directory: string): string[]
  environment(accessKey: string, secretKey: string): Record<string, string>
  healthPath: string
}

const invocations: Record<S3Program, Invocation> = {
  minio: {
    args: (listen, directory) => ['server', '--quiet', '--address', listen, directory],
    environment: (accessKey, secretKey) => ({
      MINIO_ROOT_USER: accessKey,
      MINIO_ROOT_PASSWORD: secretKey,
      MINIO_BROWSER: 'off',
      MINIO_UPDATE: 'off',
    }),
    healthPath: '/minio/health/live',
  },
  versitygw: {
    args: (listen, directory) => [
      ...['--port', listen, '--keep-alive', '--quiet', '--health', '/health'],
      ...['posix', directory],
    ],
    environment: (accessKey, secretKey) => ({
      ROOT_ACCESS_KEY: accessKey,
      ROOT_SECRET_KEY: secretKey,
    }),
    healthPath: '/health',
  },
}

const startTimeoutMs = 30_000

/** A real S3 server from the PATH on a free port of this machine, not yet started. */
export async function reserveS3Server(program: S3Program): Promise<S3Server> {
  const { args, environment, healthPath } = invocations[program]
  const port = await findFreePort()
  const directory = await mkdtemp(join(tmpdir(), `floe-${program}-`))
  const endpoint = `http://127.0.0.1:${port}`
  const [accessKey, secretKey] = ['floe', 'a secret of the tests']
  let child: ChildProcess | undefined

  async function stop(): Promise<void> {
    if (!child) return
    const exited = once(child, 'exit')
    // One that ended by itself is no more to be killed, nor waited for.
    if (child.kill('SIGKILL')) await exited
    child = undefined
  }

  return {
    endpoint,
    accessKey,
    secretKey,
    directory,
    async start() {
      child = spawn(program, args(`127.0.0.1:${port}`, directory), {
        stdio: 'ignore',
        env: { ...process.env, ...environment(accessKey, secretKey) },
      })
      await waitUntilHealthy(program, endpoint + healthPath, child)
    },
    stop,
    async remove() {
      await stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

export function reserveMinioServer(): Promise<S3Server> {
  return reserveS3Server('minio')
}

async function waitUntilHealthy(
  program: S3Program,
  url: string,
  child: ChildProcess,
): Promise<void> {
  let failure: Error | undefined
  child.once('error', (cause) => {
    failure = new Error(`These tests need ${program} on the PATH`, { cause })
  })
  child.once('exit', (code) => {
    failure ??= new Error(`${program} ended with ${code}`)
  })
  const deadline = Date.now() + startTimeoutMs
  for (;;) {
    if (failure) throw failure
    const response = await fetch(url).catch(() => null)
    if (response?.ok) return
    if (Date.now() > deadline) throw new Error(`${program} does not respond`)
    await sleep(50)
  }
}
