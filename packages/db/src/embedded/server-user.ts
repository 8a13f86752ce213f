import { readFile, stat } from 'node:fs/promises'

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
