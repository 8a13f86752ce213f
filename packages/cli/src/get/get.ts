import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { CliError, exitCodes } from '../failures.ts'
import { createProgress, type Progress } from '../progress.ts'
import { sayWaiting } from '../send/patience.ts'
import type { Store } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import { downloadFile } from './download-file.ts'
import type { RemoteFile } from './remote-file.ts'
import { distinctPaths } from './safe-path.ts'

/** Small files are a request each. */
const FILES_AT_ONCE = 8
/** Larger ones are received one after another, each over several connections. */
const LARGE_BYTES = 16 * 2 ** 20

export interface Received {
  path: string
  size: number
  sha256: string
  /** Whether it was compared with what the server, or the sender of an encrypted one, computed. */
  verified: boolean
}

interface Wanted {
  file: RemoteFile
  target: string
}

export interface GetOptions {
  files: readonly RemoteFile[]
  store: Store
  terminal: Terminal
  /** The folder that everything goes into. */
  folder: string
  /** Replaces files that are there with other content. */
  overwrites: boolean
}

export interface Got {
  received: Received[]
  /** Paths where other files are, which are left alone. */
  kept: string[]
}

/** Receives all files of a share into a folder, with the folders they were in. */
export async function getFiles(options: GetOptions): Promise<Got> {
  const { files, terminal, folder } = options
  const paths = distinctPaths(files.map(({ name }) => name))
  const wanted = files.map((file, index): Wanted => ({
    file,
    target: resolve(folder, paths[index] ?? ''),
  }))
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const progress = createProgress(terminal, { verb: 'Receiving', totalBytes })
  const received = new Map<Wanted, Received | null>()
  const isLarge = ({ file }: Wanted) => file.sizeBytes > LARGE_BYTES
  const receive = async (some: Wanted[]) => {
    for (let one = some.shift(); one; one = some.shift()) {
      received.set(one, await getFile(options, one, progress))
    }
  }
  const [large, small] = [wanted.filter(isLarge), wanted.filter((one) => !isLarge(one))]
  try {
    await receive(large)
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, () => receive(small)))
  } finally {
    progress.end()
  }
  return {
    received: wanted.flatMap((one) => received.get(one) ?? []),
    kept: wanted.flatMap((one) => (received.get(one) === null ? one.target : [])),
  }
}

/** Throws a `CliError` that names what is there already. */
export function refuseKept(kept: readonly string[]): void {
  if (kept.length === 0) return
  const [what, them] =
    kept.length === 1 ? [`${kept[0]} is`, 'it'] : [`${kept.length} files are`, 'them']
  const names = kept.length === 1 ? [] : kept
  const message = `${what} there already. Use --force to replace ${them}.`
  throw new CliError([message, ...names].join('\n'), exitCodes.refused)
}

/** `null` where another file is in its place. */
async function getFile(
  { store, terminal, overwrites }: GetOptions,
  { file, target: path }: Wanted,
  progress: Progress,
): Promise<Received | null> {
  const { sizeBytes: size, sha256 } = file
  const verified = sha256 !== undefined
  const there = await hashOfExisting(path)
  if (there !== null) {
    if (there === sha256) {
      progress.skip(size)
      return { path, size, sha256: there, verified }
    }
    if (!overwrites) {
      progress.skip(size)
      return null
    }
  }
  const digest = await downloadFile({
    ...{ store, file, target: path },
    onReceived: progress.add,
    onKept: progress.skip,
    onWait: sayWaiting(terminal),
  })
  return { path, size, sha256: digest, verified }
}

/** `null` where there is no file. */
async function hashOfExisting(path: string): Promise<string | null> {
  const stats = await stat(path).catch(() => null)
  if (stats === null) return null
  if (!stats.isFile()) throw new CliError(`${path} is there already, and is no file.`)
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 2 ** 20 }), hash)
  return hash.digest('hex')
}
