import { createServer } from 'node:net'

import type { Binaries } from './binaries.ts'
import type { ClusterPaths } from './cluster.ts'
import { explainServerOutput } from './failures.ts'
import {
  disownDeadLock,
  findPostmaster,
  type Postmaster,
  type SpawnedPostmaster,
  spawnPostmaster,
  stopPostmaster,
} from './postmaster.ts'
import type { ServerUser } from './server-user.ts'
import type { ServerSettings } from './settings.ts'

export interface LauncherOptions {
  paths: ClusterPaths
  binaries: Binaries
  user: ServerUser
  settings: ServerSettings
}

export interface Launcher {
  /** The live server of the cluster, started by any process; starts one when there is none. */
  ensureRunning(): Promise<Postmaster>
  /** From now on a new server must listen here, since the address has been handed out. */
  pinPort(port: number): void
  /** Ends the server of the cluster, started by any process. */
  stop(): Promise<void>
  /** Ends the server only if it was started here. */
  stopOwnChild(): Promise<void>
}

/** More than the clashes that happen by chance, and over within seconds. */
const maximumFailures = 20

export function createLauncher({ paths, binaries, user, settings }: LauncherOptions): Launcher {
  const { clusterDir, dataDir } = paths
  let child: SpawnedPostmaster | undefined
  let pinnedPort: number | undefined
  let failures = 0

  const liveChild = () => (child && !child.hasExited() ? child : undefined)

  async function explainExit(): Promise<void> {
    if (!child || pinnedPort !== undefined) return
    failures += 1
    const output = await child.readOutput()
    if (!isPassing(output) || failures >= maximumFailures) {
      throw explainServerOutput(output, dataDir)
    }
  }

  return {
    ensureRunning: async () => {
      const found = await findPostmaster(clusterDir)
      if (found && found.port > 0) return found
      const running = liveChild()
      if (running) return running
      await explainExit()
      await disownDeadLock(clusterDir)
      const port = pinnedPort ?? (await findFreePort())
      child = await spawnPostmaster({ paths, binaries, user, port, settings })
      return child
    },
    pinPort: (port) => {
      pinnedPort = port
    },
    stop: async () => {
      const postmaster = (await findPostmaster(clusterDir)) ?? liveChild()
      if (postmaster) await stopPostmaster(postmaster.pid, clusterDir)
    },
    stopOwnChild: async () => {
      const running = liveChild()
      if (running) await stopPostmaster(running.pid, clusterDir)
    },
  }
}

/**
 * Another start was faster, the port was taken between choosing and using it, or processes of a
 * crashed server have not ended yet: all of these pass.
 */
function isPassing(output: string): boolean {
  return /lock file "postmaster.pid"|could not bind|Address already in use|pre-existing shared memory/i.test(
    output,
  )
}

async function findFreePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', resolve)
  })
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return address && typeof address === 'object' ? address.port : 0
}
