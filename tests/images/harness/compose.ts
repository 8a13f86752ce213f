import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from '@floe/testing'
import { root } from '../../architecture/repository.ts'
import type { Podman } from './podman.ts'

const run = promisify(execFile)

export interface Composition {
  url: string
  /** Starts what does not run, in this image, and waits until everything is healthy. */
  up(image: string): Promise<void>
  /** Takes the containers away and leaves the volumes. */
  down(): Promise<void>
  /** Ends a service as a crash would; Compose starts it again. */
  kill(service: string): Promise<void>
  /** Runs a program beside a service. */
  run(service: string, ...command: readonly string[]): Promise<string>
  /** What the services printed last. */
  logs(): Promise<string>
  /** Takes away what it made. */
  remove(): Promise<void>
}

const storeNames = ['postgres', 'redis', 's3']
const serviceNames = ['gateway', 'auth', 'share', 'file', 'admin', 'worker']

/**
 * What takes the place of images in registries, and of podman's name server (aardvark-dns 1.4):
 * while containers start and stop, it is silent for ten seconds.
 */
function withStandIns(stores: string, network: string) {
  const names = [...storeNames, ...serviceNames]
  const addressOf = (name: string) => `${network}.${10 + names.indexOf(name)}`
  const toService = (name: string) => ({
    ...(storeNames.includes(name) && { image: stores }),
    networks: { inside: { ipv4_address: addressOf(name) } },
    extra_hosts: names.map((other) => `${other}:${addressOf(other)}`),
  })
  return {
    services: Object.fromEntries(names.map((name) => [name, toService(name)])),
    networks: { inside: { ipam: { config: [{ subnet: `${network}.0/24` }] } } },
  }
}

/**
 * docker-compose.yml as it is, on podman; `stores` takes the place of the images that it names of
 * registries.
 */
export async function compose(
  podman: Podman,
  { stores }: { stores: string },
): Promise<Composition> {
  const folder = await mkdtemp(join(tmpdir(), 'floe-compose-'))
  const standIns = join(folder, 'stand-ins.json')
  const port = await findFreePort()
  await writeFile(standIns, JSON.stringify(withStandIns(stores, `10.213.${port % 256}`)))
  const host = await podman.serveDockerApi()
  podman.watchHealth()
  const project = `floe-test-${port}`

  async function docker(image: string, ...args: readonly string[]): Promise<string> {
    const files = ['--file', join(root, 'docker-compose.yml'), '--file', standIns]
    const env = {
      ...process.env,
      DOCKER_HOST: host,
      FLOE_IMAGE: image,
      FLOE_PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
    }
    const { stdout } = await run('docker-compose', ['-p', project, ...files, ...args], { env })
    return stdout
  }

  return {
    url: `http://127.0.0.1:${port}`,
    async up(image) {
      await docker(image, 'up', '--detach', '--no-build', '--wait')
    },
    async down() {
      await docker('none', 'down')
    },
    async kill(service) {
      await docker('none', 'kill', service)
      // Docker starts again what was killed from outside it; podman takes that for a wish.
      await docker('none', 'start', service)
    },
    run: (service, ...command) => docker('none', 'exec', '--no-TTY', service, ...command),
    logs: () => docker('none', 'logs', '--tail', '20'),
    async remove() {
      await docker('none', 'down', '--volumes')
      await rm(folder, { recursive: true })
    },
  }
}
