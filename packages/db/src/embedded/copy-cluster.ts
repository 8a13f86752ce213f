import { constants, copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { StartError } from '../start-error.ts'
import { type ClusterPaths, passageMode } from './cluster.ts'

const DRAFT = '.draft'
/** Names a process that is gone, or files that only it had. */
const left = new Set(['postmaster.pid', 'postmaster.opts'])

/**
 * Copies the cluster with its password while its server is stopped, so that the copy can take the
 * place of `<dataDir>/postgres`. It is on the disk once this resolves; nothing is left of one that fails.
 */
export async function copyCluster(
  paths: ClusterPaths & { major: string },
  target: string,
): Promise<void> {
  try {
    await copy(paths, target)
  } catch (cause) {
    throw new StartError(
      `The database could not be copied to ${target} before the upgrade, so nothing was upgraded: ${explain(cause)}, then start Floe again.`,
      cause,
    )
  }
}

async function copy(
  { homeDir, major }: ClusterPaths & { major: string },
  target: string,
): Promise<void> {
  const folder = dirname(target)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeDrafts(folder)
  const draft = `${target}${DRAFT}`
  await mkdir(draft, { mode: passageMode })
  try {
    await copyFolder(homeDir, join(draft, major))
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
  await flush(folder)
}

function explain(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? 'the disk is full; free some space'
    : `${message}; fix that`
}

/** What is left of a process that was killed while it copied. */
async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.endsWith(DRAFT)) await rm(join(folder, name), { recursive: true, force: true })
  }
}

/** Links are followed: what an operator keeps elsewhere is part of the copy. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: (await stat(from)).mode })
  for (const name of await readdir(from)) {
    if (left.has(name)) continue
    const [source, target] = [join(from, name), join(to, name)]
    const entry = await stat(source)
    if (entry.isDirectory()) {
      await copyFolder(source, target)
    } else if (entry.isFile()) {
      // Where the file system can, without using space.
      await copyFile(source, target, constants.COPYFILE_FICLONE)
      await flush(target)
    }
  }
  await flush(to)
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
