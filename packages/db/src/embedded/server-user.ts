import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

import { StartError } from '../start-error.ts'

/** Who PostgreSQL runs as; undefined means as ourselves. */
export type ServerUser = { uid: number; gid: number } | undefined

/**
 * PostgreSQL refuses to run as root, so root hands the server to an unprivileged user. An existing
 * cluster keeps the owner it has, even if this host knows other users today.
 */
export async function chooseServerUser(clusterDir: string): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return undefined
  const owner = await stat(clusterDir).catch(() => undefined)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  return (await findUser('postgres')) ?? (await findUser('nobody')) ?? nobody
}

/** A system without a user list still accepts the usual number of the user nobody. */
const nobody = { uid: 65_534, gid: 65_534 }

async function findUser(name: string): Promise<ServerUser> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const line = passwd.split('\n').find((entry) => entry.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  if (!uid || !gid || Number(uid) === 0) return undefined
  return { uid: Number(uid), gid: Number(gid) }
}

/**
 * Containers run as any number, but initdb refuses a user without a name. The image has a library
 * that reads names from files of its own; this is the environment that loads it.
 */
export async function nameOurselves(): Promise<Record<string, string>> {
  if (hasName()) return {}
  const folder = await mkdtemp(join(tmpdir(), 'floe-names-'))
  const [passwd, group] = [join(folder, 'passwd'), join(folder, 'group')]
  await writeFile(passwd, `floe:x:${process.getuid?.()}:${process.getgid?.()}::/:/bin/false\n`)
  await writeFile(group, `floe:x:${process.getgid?.()}:\n`)
  return {
    LD_PRELOAD: 'libnss_wrapper.so',
    NSS_WRAPPER_PASSWD: passwd,
    NSS_WRAPPER_GROUP: group,
  }
}

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

/** Fails when the cluster belongs to another user that this process may not become. */
export async function assertClusterOwner(clusterDir: string): Promise<void> {
  const uid = process.getuid?.()
  if (uid === undefined || uid === 0) return
  const owner = await stat(clusterDir).catch(() => undefined)
  if (!owner || owner.uid === uid) return
  throw new StartError(
    `The database in ${clusterDir} belongs to user ${owner.uid} and Floe runs as user ${uid}; start Floe as the user who created it, or change the owner of that folder to user ${uid}.`,
  )
}
