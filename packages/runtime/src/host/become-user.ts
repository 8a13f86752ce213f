import { execFile } from 'node:child_process'
import { mkdir, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Environment } from '@floe/config'
import { StartError } from '@floe/db'

const run = promisify(execFile)

/**
 * With PUID and PGID: gives the data directory to that user and goes on as that user, which takes
 * root. Nothing may have been opened or written before.
 */
export async function becomeUser({
  runAs,
  dataDirectory,
}: Pick<Environment, 'runAs' | 'dataDirectory'>): Promise<void> {
  if (runAs === null || process.getuid?.() === runAs.uid) return
  const { uid, gid } = runAs
  if (process.getuid?.() !== 0) {
    throw new StartError(`PUID ${uid} takes a start as root, for example with user: "0:0"`)
  }
  await mkdir(dataDirectory, { recursive: true })
  const owner = await stat(dataDirectory)
  if (owner.uid !== uid || owner.gid !== gid) {
    // Begins at the leaves: where it was interrupted, the directory itself still has its old owner.
    await run('chown', ['--recursive', '--no-dereference', `${uid}:${gid}`, dataDirectory])
  }
  process.setgroups?.([])
  process.setgid?.(gid)
  process.setuid?.(uid)
}
