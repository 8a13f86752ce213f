import { createHash } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { CliError, NetworkError } from '../failures.ts'
import { makeFolder } from '../make-folder.ts'
import { createPatience, type OnWait, persist } from '../send/patience.ts'
import type { Store } from '../settings.ts'
import type { Range } from './fetch-bytes.ts'
import { followHash } from './following-hash.ts'
import type { RemoteFile } from './remote-file.ts'

/** What is asked for at once: so much is received again where a run is broken off. */
const PIECE_BYTES = 16 * 2 ** 20
const PIECES_AT_ONCE = 4
const STATE = 'downloads'
const downloadSchema = z.object({
  source: z.string(),
  sizeBytes: z.number(),
  /** Pieces that are written, by their number. */
  pieces: z.array(z.number()),
})

export interface DownloadOptions {
  store: Store
  file: RemoteFile
  /** Where it goes. */
  target: string
  onReceived: (bytes: number) => void
  onKept: (bytes: number) => void
  onWait: OnWait
}

/** Writes one file beside its place and moves it there once it is whole. Returns its SHA-256. */
export async function downloadFile(options: DownloadOptions): Promise<string> {
  const { target, file } = options
  const part = `${target}.floe-part`
  await makeFolder(dirname(target))
  const isSmall = file.sizeBytes <= PIECE_BYTES
  const found = await (isSmall ? receiveWhole : receivePieces)(options, part)
  if (file.sha256 !== undefined && found !== file.sha256) {
    await rm(part, { force: true })
    await options.store.removeState(STATE, target)
    throw new CliError(`${target} arrived damaged (SHA-256) and was removed. Try again.`)
  }
  await rename(part, target)
  await options.store.removeState(STATE, target)
  return found
}

async function receiveWhole(options: DownloadOptions, part: string): Promise<string> {
  const { file, onReceived } = options
  const content = await persist(async () => {
    const memory = Buffer.allocUnsafe(file.sizeBytes)
    let count = 0
    for await (const bytes of file.read({ start: 0, end: file.sizeBytes })) {
      bytes.copy(memory, count)
      count += bytes.length
    }
    if (count !== file.sizeBytes) throw new NetworkError('The connection was lost')
    return memory
  }, createPatience(options))
  onReceived(content.length)
  await writeFile(part, content)
  return createHash('sha256').update(content).digest('hex')
}

async function receivePieces(options: DownloadOptions, part: string): Promise<string> {
  const { store, target, onKept } = options
  const { source, sizeBytes } = options.file
  const done = await readDone(options, part)
  const numbers = Array.from({ length: Math.ceil(sizeBytes / PIECE_BYTES) }, (_, number) => number)
  const waiting = numbers.filter((number) => !done.has(number))
  for (const number of done) onKept(sizeOf(rangeOf(number, sizeBytes)))
  const fd = openSync(part, done.size > 0 ? 'r+' : 'w')
  ftruncateSync(fd, sizeBytes)
  const hash = followHash(part)
  let noting = Promise.resolve()
  let hashed = 0

  async function receiveSome(): Promise<void> {
    for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
      await receiveRange(options, fd, rangeOf(number, sizeBytes))
      done.add(number)
      advance()
      const note = { source, sizeBytes, pieces: [...done] }
      noting = noting.then(() => store.writeState(STATE, target, note))
      await noting
    }
  }
  function advance(): void {
    while (done.has(hashed)) hash.follow(rangeOf(hashed++, sizeBytes).end)
  }

  try {
    advance()
    await Promise.all(Array.from({ length: PIECES_AT_ONCE }, receiveSome))
    return await hash.digest()
  } finally {
    closeSync(fd)
    await hash.stop()
  }
}

/** What an earlier run has written of this very file. */
async function readDone(
  { store, target, file: { source, sizeBytes } }: DownloadOptions,
  part: string,
): Promise<Set<number>> {
  const known = await store.readState(STATE, target, downloadSchema)
  const stats = await stat(part).catch(() => null)
  const isSame = known?.source === source && known.sizeBytes === sizeBytes
  return new Set(isSame && stats?.size === sizeBytes ? known.pieces : [])
}

function rangeOf(number: number, sizeBytes: number): Range {
  const start = number * PIECE_BYTES
  return { start, end: Math.min(start + PIECE_BYTES, sizeBytes) }
}

function sizeOf({ start, end }: Range): number {
  return end - start
}

async function receiveRange(options: DownloadOptions, fd: number, range: Range): Promise<void> {
  const { file, onReceived } = options
  const patience = createPatience(options)
  let at = range.start
  while (at < range.end) {
    try {
      for await (const bytes of file.read({ start: at, end: range.end })) {
        if (at + bytes.length > range.end)
          throw new CliError('The server sends more than asked for.')
        writeAll(fd, bytes, at)
        at += bytes.length
        onReceived(bytes.length)
        patience.progressed()
      }
      if (at < range.end) throw new NetworkError('The connection was lost')
    } catch (error) {
      await patience.afterFailure(error)
    }
  }
}

/** Into the memory of the system, which takes less time than asking a thread to do it. */
function writeAll(fd: number, bytes: Buffer, position: number): void {
  let written = 0
  while (written < bytes.length) {
    written += writeSync(fd, bytes, written, bytes.length - written, position + written)
  }
}
