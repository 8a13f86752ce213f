import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from '@floe/testing'
import { expect } from 'vitest'

const run = promisify(execFile)

/** `nobody` on every distribution. */
const ORDINARY = 65534

type Environment = Record<string, string>

export interface Installation {
  /** Where the tarball was unpacked. */
  program: string
  /** Starts it, and waits until it is healthy. */
  start(environment?: Environment): Promise<RunningTarball>
  /** Runs a command for operators to its end, and returns what it printed. */
  floe(...command: readonly (string | Environment)[]): Promise<string>
  remove(): Promise<void>
}

export interface RunningTarball {
  url: string
  healthyAfterMs: number
  /** SIGTERM; returns the exit code. */
  stop(): Promise<number | null>
}

/** Unpacks a tarball where an ordinary user runs it, who has an empty home and nothing but Node.js. */
export async function unpackTarball(archive: string, folder: string): Promise<Installation> {
  const place = await mkdtemp(join(folder, 'place-'))
  await chmod(place, 0o755)
  await run('tar', ['--extract', '--file', archive, '--directory', place])
  const program = join(place, basename(archive, '.tar.xz'))
  const [path, home, work] = [join(place, 'path'), join(place, 'home'), join(place, 'work')]
  for (const one of [path, home, work]) await mkdir(one)
  await copyFile(process.execPath, join(path, 'node'))
  const isRoot = process.getuid?.() === 0
  if (isRoot) for (const one of [home, work]) await chown(one, ORDINARY, ORDINARY)
  const user = isRoot ? { uid: ORDINARY, gid: ORDINARY } : {}
  const options = (environment: Environment) => ({
    cwd: work,
    env: { PATH: path, HOME: home, HOST: '127.0.0.1', LOG_LEVEL: 'warn', ...environment },
    ...user,
  })
  const children: ChildProcess[] = []
  return {
    program,
    async start(environment = {}) {
      const port = await findFreePort()
      const begun = performance.now()
      const child = spawn(join(program, 'floe'), {
        ...options({ PORT: `${port}`, ...environment }),
        stdio: ['ignore', 'inherit', 'inherit'],
      })
      children.push(child)
      const url = `http://127.0.0.1:${port}`
      await expect.poll(() => isHealthy(url, child), { timeout: 30_000, interval: 20 }).toBe(true)
      return {
        url,
        healthyAfterMs: performance.now() - begun,
        async stop() {
          const ended = once(child, 'exit') as Promise<[number | null]>
          child.kill('SIGTERM')
          return (await ended)[0]
        },
      }
    },
    async floe(...command) {
      const args = command.filter((one) => typeof one === 'string')
      const environment = Object.assign({}, ...command.filter((one) => typeof one !== 'string'))
      const { stdout } = await run(join(program, 'floe'), args, options(environment as Environment))
      return stdout
    },
    async remove() {
      for (const child of children) child.kill('SIGKILL')
      await rm(place, { recursive: true })
    },
  }
}

async function isHealthy(url: string, { exitCode }: ChildProcess): Promise<boolean> {
  if (exitCode !== null) throw new Error(`Floe ended with code ${exitCode}`)
  return fetch(`${url}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  )
}
