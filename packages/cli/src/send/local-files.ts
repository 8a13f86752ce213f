import { createHash } from 'node:crypto'
import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { isNameTooLong } from '@floe/contracts'
import { CliError, exitCodes } from '../failures.ts'

export interface LocalFile {
  /** Absolute. */
  path: string
  /** Folder and name in the share, as in `photos/2026/a.jpg`. */
  name: string
  sizeBytes: number
  modifiedMs: number
}

export interface LocalFiles {
  files: LocalFile[]
  /** Links, sockets and the like inside of folders. */
  left: string[]
}

/**
 * The files that arguments name, folders with everything below them. A link that is named is followed;
 * one inside of a folder could lead out of it, so it is left.
 */
export async function listLocalFiles(paths: readonly string[]): Promise<LocalFiles> {
  const found: LocalFiles = { files: [], left: [] }
  for (const given of paths) await addNamed(given, found)
  const twice = findTwice(found.files.map(({ name }) => name))
  if (twice !== undefined)
    throw new CliError(`${twice} would be in the share twice.`, exitCodes.usage)
  const refused = found.files.find(({ name }) => isNameTooLong(name))
  if (refused) throw new CliError(`The name of ${refused.path} is too long.`, exitCodes.usage)
  return found
}

async function addNamed(given: string, found: LocalFiles): Promise<void> {
  const path = resolve(given)
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ENOENT'
    throw new CliError(
      isMissing ? `${given} is not there.` : `${given} cannot be read: ${error.message}`,
      isMissing ? exitCodes.notFound : exitCodes.other,
    )
  })
  // `.` and `..` have names, too.
  const name = basename(path) || basename(await realpath(path))
  if (stats.isDirectory()) await addFolder(path, name || 'files', found)
  else if (stats.isFile()) found.files.push(describeFile(path, name, stats))
  else throw new CliError(`${given} is neither a file nor a folder.`, exitCodes.usage)
}

async function addFolder(path: string, name: string, found: LocalFiles): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const child = join(path, entry.name)
    const childName = `${name}/${entry.name}`
    if (entry.isDirectory()) await addFolder(child, childName, found)
    else if (entry.isFile()) found.files.push(describeFile(child, childName, await lstat(child)))
    else found.left.push(childName)
  }
}

function describeFile(
  path: string,
  name: string,
  { size, mtimeMs }: { size: number; mtimeMs: number },
): LocalFile {
  return { path, name, sizeBytes: size, modifiedMs: Math.floor(mtimeMs) }
}

function findTwice(names: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return names.find((name) => seen.size === seen.add(name).size)
}

/**
 * The id under which a small file is sent: the same for the same file and share, so one that is
 * sent again is stored once. Formed like a UUID of version 8 (RFC 9562 §5.8).
 */
export function smallFileId(shareId: string, file: LocalFile): string {
  const text = [shareId, file.name, file.sizeBytes, file.modifiedMs].join('\0')
  const hex = createHash('sha256').update(text).digest('hex')
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ]
  return [...parts, hex.slice(20, 32)].join('-')
}
