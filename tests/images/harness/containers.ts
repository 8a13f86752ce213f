import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from '@floe/testing'
import { root } from '../../architecture/repository.ts'
import type { Podman } from './podman.ts'

const run = promisify(execFile)

export type Target = 'floe' | 'all-in-one'

interface Build {
  target: Target
  /** The image that stands in for the one of Node.js. */
  base: string
  /** Of a commit; of the files as they are when left out. */
  revision?: string
}

/** Builds the Dockerfile as it is; returns the name of the image. */
export async function buildImage(podman: Podman, { target, base, revision }: Build) {
  const name = `localhost/floe-test-${target}:${revision ? 'before' : 'now'}`
  const context = revision ? await checkOut(revision) : root
  const options = [
    ...['--format', 'docker', '--network', 'host', '--build-arg', `NODE=${base}`],
    ...['--file', join(context, 'deploy/Dockerfile'), '--target', target, '--tag', name],
  ]
  try {
    await podman.run('build', ...options, context)
  } finally {
    if (revision) await rm(context, { recursive: true })
  }
  return name
}

async function checkOut(revision: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'floe-revision-'))
  const archive = join(folder, 'revision.tar')
  await run('git', ['archive', '--output', archive, revision], { cwd: root })
  await run('tar', ['--extract', '--file', archive, '--directory', folder])
  await rm(archive)
  return folder
}

/** In bytes, compressed as a registry sends it. */
export async function compressedSize(podman: Podman, image: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'floe-size-'))
  const archive = join(folder, 'image.tar')
  try {
    await podman.run('save', '--format', 'oci-archive', '--output', archive, image)
    return (await stat(archive)).size
  } finally {
    await rm(folder, { recursive: true })
  }
}

export interface Container {
  url: string
  /** Milliseconds from the start of the container until its own health check agrees. */
  untilHealthy(): Promise<number>
  /** As a machine that loses power would. */
  kill(): Promise<void>
  /** SIGTERM; the exit status of its first process, and how long it took in milliseconds. */
  stop(): Promise<{ status: number; took: number }>
  /** Waits until its first process ends by itself. */
  end(): Promise<{ status: number; output: string }>
  /** Runs a program in it. */
  run(...command: readonly string[]): Promise<string>
  remove(): Promise<void>
}

/** Runs an image as our Compose files do: no rights, and nothing to write to but the volume and /tmp. */
export async function runContainer(
  podman: Podman,
  image: string,
  options: readonly string[],
): Promise<Container> {
  const port = await findFreePort()
  const started = performance.now()
  const id = await podman.run(
    ...['run', '--detach', '--init', '--read-only', '--tmpfs', '/tmp', '--cap-drop', 'all'],
    ...['--security-opt', 'no-new-privileges', '--publish', `127.0.0.1:${port}:3000`],
    ...[...options, image],
  )
  const inspect = (field: string) => podman.run('inspect', '--format', `{{${field}}}`, id)
  return {
    url: `http://127.0.0.1:${port}`,
    async untilHealthy() {
      for (;;) {
        const isHealthy = await podman.run('healthcheck', 'run', id).then(
          () => true,
          () => false,
        )
        if (isHealthy) return performance.now() - started
        if ((await inspect('.State.Running')) === 'true') continue
        throw new Error(`${image} ended:\n${await podman.logs(id)}`)
      }
    },
    async kill() {
      await podman.run('kill', id)
      await podman.run('wait', id)
    },
    async stop() {
      const begun = performance.now()
      await podman.run('stop', '--time', '60', id)
      return { status: Number(await inspect('.State.ExitCode')), took: performance.now() - begun }
    },
    async end() {
      const status = Number(await podman.run('wait', id))
      return { status, output: await podman.logs(id) }
    },
    run: (...command) => podman.run('exec', id, ...command),
    async remove() {
      await podman.run('rm', '--force', id)
    },
  }
}
