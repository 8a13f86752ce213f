import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

// No systemd and no cgroups of version 2 are needed, so that it runs in a container too.
const CONFIGURATION = `[containers]
default_ulimits = []
init_path = "/usr/bin/catatonit"
[engine]
cgroup_manager = "cgroupfs"
[network]
network_backend = "netavark"
`

export interface Podman {
  /** Returns what the command printed. */
  run(...args: readonly string[]): Promise<string>
  /** Everything a container printed. */
  logs(container: string): Promise<string>
  /** Speaks Docker's API until `close`; returns the address for `DOCKER_HOST`. */
  serveDockerApi(): Promise<string>
  /**
   * Runs the health checks of containers until they are healthy: podman leaves that to systemd,
   * which is not on every machine.
   */
  watchHealth(): void
  close(): Promise<void>
}

export async function startPodman(): Promise<Podman> {
  const folder = await mkdtemp(join(tmpdir(), 'floe-podman-'))
  const configuration = join(folder, 'containers.conf')
  await writeFile(configuration, CONFIGURATION)
  const env = { ...process.env, CONTAINERS_CONF: configuration }
  const servers: ChildProcess[] = []
  const closing = new AbortController()
  let watch: Promise<void> | undefined

  const execute = (args: readonly string[]) =>
    run('podman', ['--runtime', 'runc', ...args], { env, maxBuffer: 64 * 1024 * 1024 })
  const podman = async (...args: readonly string[]) => (await execute(args)).stdout.trim()

  async function checkHealth(): Promise<void> {
    while (!closing.signal.aborted) {
      const waiting = await podman('ps', '--filter', 'health=starting', '--format', '{{.Names}}')
      const names = waiting.split('\n').filter(Boolean)
      // One that is not healthy, or ended meanwhile, fails.
      await Promise.allSettled(names.map((name) => podman('healthcheck', 'run', name)))
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
  }

  return {
    run: podman,
    async logs(container) {
      const { stdout, stderr } = await execute(['logs', container])
      return stdout + stderr
    },
    async serveDockerApi() {
      const address = `unix://${join(folder, 'docker.sock')}`
      const args = ['--runtime', 'runc', 'system', 'service', '--time=0', address]
      const server = spawn('podman', args, { env, stdio: 'ignore' })
      servers.push(server)
      return address
    },
    watchHealth() {
      watch ??= checkHealth()
    },
    async close() {
      closing.abort()
      await watch
      for (const server of servers) server.kill()
      await rm(folder, { recursive: true })
    },
  }
}
