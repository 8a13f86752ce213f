import { createHash } from 'node:crypto'
import { readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { OwnedByAnother } from './ownership.ts'
import { clusterMark } from './postmaster.ts'
import type { EmbeddedPostgresLog } from './server.ts'

export interface DirectoryLock {
  release(): Promise<void>
}

export interface DirectoryLockOptions {
  /** Exists and is writable. */
  dir: string
  log: EmbeddedPostgresLog
  /** Names what `ownsAddress` can see; replaced in tests. */
  place?: string
}

const beatMs = 2_000
/** Long enough for a few beats of an owner on a busy machine. */
const watchMs = 7_000
/** An owner silent for longer than this is not watched at all. */
const freshMs = 15_000

/**
 * Makes this process the only one on the directory, before and while the server runs. Within one
 * machine or container the kernel decides, through an address it frees when a process dies.
 * Containers that share nothing but the volume see neither each other's processes nor ports, so
 * the owner also leaves a beating file, and who finds one from elsewhere watches it first.
 * Rejects with `OwnedByAnother`.
 */
export async function lockDirectory(options: DirectoryLockOptions): Promise<DirectoryLock> {
  const { dir } = options
  const ownerFile = join(dir, 'owner')
  const place = options.place ?? (await describePlace())
  const address = await holdAddress(dir, place)
  try {
    await watchOwnerElsewhere({ ...options, ownerFile, place })
    await writeFile(ownerFile, place, { mode: 0o600 })
  } catch (error) {
    address?.close()
    throw error
  }
  // A beat that fails, say on a full disk, must not take Floe down with it.
  const timer = setInterval(() => writeFile(ownerFile, place).catch(() => undefined), beatMs)
  timer.unref()
  return {
    release: async () => {
      clearInterval(timer)
      await rm(ownerFile, { force: true })
      address?.close()
    },
  }
}

/** Names where this process runs: processes of one place see each other's addresses. */
async function describePlace(): Promise<string> {
  if (process.platform !== 'linux') return hostname()
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => hostname())
  const network = await readlink('/proc/self/ns/net').catch(() => hostname())
  return `${boot.trim()} ${network}`
}

/** A killed owner's address is free as soon as it is gone; it may still be going. */
const lastBreathMs = 1_500

/** Only Linux has addresses that are names without files; elsewhere the server's lock decides. */
async function holdAddress(dir: string, place: string): Promise<Server | undefined> {
  if (process.platform !== 'linux') return undefined
  const placeMark = createHash('sha256').update(place).digest('hex').slice(0, 16)
  const name = `\0${await clusterMark(dir)}-${placeMark}`
  const deadline = Date.now() + lastBreathMs
  for (;;) {
    try {
      return await listen(name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      if (Date.now() > deadline) throw new OwnedByAnother('Another Floe holds the address', error)
    }
    await sleep(50)
  }
}

async function listen(name: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ path: name }, resolve)
  })
  return server.unref()
}

interface WatchOptions extends DirectoryLockOptions {
  ownerFile: string
  place: string
}

async function watchOwnerElsewhere({ dir, ownerFile, place, log }: WatchOptions): Promise<void> {
  const owner = await readFile(ownerFile, 'utf8').catch(() => undefined)
  if (owner === undefined || owner === place) return
  const lastBeat = await readBeat(ownerFile)
  if ((await readClock(dir)) - lastBeat > freshMs) return

  log.info('Checking whether another Floe uses the same data directory')
  const deadline = Date.now() + watchMs
  while (Date.now() < deadline) {
    await sleep(200)
    const beat = await readBeat(ownerFile)
    if (beat === 0) return
    if (beat !== lastBeat) throw new OwnedByAnother('Another Floe elsewhere is alive')
  }
}

async function readBeat(ownerFile: string): Promise<number> {
  return (await stat(ownerFile).catch(() => undefined))?.mtimeMs ?? 0
}

/** The time as the volume tells it, which another machine may serve. */
async function readClock(dir: string): Promise<number> {
  const probe = join(dir, `.clock-${process.pid}`)
  await writeFile(probe, '')
  const { mtimeMs } = await stat(probe)
  await rm(probe, { force: true })
  return mtimeMs
}
