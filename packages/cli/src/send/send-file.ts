import { type FileHandle, open } from 'node:fs/promises'
import type { RequestLimit } from '@floe/contracts'
import { CliError, NetworkError, refusedByProxy } from '../failures.ts'
import { type BodySource, discard, isRefusedByProxy, refusalOf } from '../http-client.ts'
import { crc32OfBeginning, readCrc32 } from './crc32.ts'
import type { LocalFile } from './local-files.ts'
import { createPatience, persist } from './patience.ts'
import type { Tus } from './tus.ts'

export interface SendFileOptions {
  tus: Tus
  limit: RequestLimit
  shareId: string
  file: LocalFile
  /** Of an upload of this file that was begun before. */
  begun: string | undefined
  /** Bytes that have left, negative where they have to leave again. */
  onSent: (bytes: number) => void
  /** Bytes that were there already. */
  onKept: (bytes: number) => void
  onWait: (error: unknown) => void
}

/** Sends one file by tus, from where it ended. */
export async function sendFile(options: SendFileOptions): Promise<void> {
  const { tus, file, shareId, onKept } = options
  const kept = options.begun === undefined ? null : await findKept(options, options.begun)
  const upload = kept ?? { path: await persist(() => tus.create({ shareId, ...file })), offset: 0 }
  onKept(upload.offset)
  await append(options, upload)
}

interface Upload {
  path: string
  offset: number
}

/** `null` where what was sent is not the beginning of the file, or is gone. */
async function findKept({ tus, file }: SendFileOptions, path: string): Promise<Upload | null> {
  const { offset, checksum } = await persist(() => tus.inspect(path))
  if (await beginsLike(file, { offset, checksum })) return { path, offset }
  await tus.terminate(path)
  return null
}

/** Whether the bytes that the server has are those that the file begins with. */
export async function beginsLike(
  { path, sizeBytes }: LocalFile,
  { offset, checksum }: { offset: number; checksum: string | undefined },
): Promise<boolean> {
  if (offset > sizeBytes) return false
  const expected = readCrc32(checksum)
  return expected === null || (await crc32OfBeginning(path, offset, () => undefined)) === expected
}

async function append(options: SendFileOptions, { path, offset: start }: Upload): Promise<void> {
  const { tus, file, limit, onSent, onWait } = options
  const patience = createPatience({ onWait })
  let offset = start
  let losses = 0
  while (offset < file.sizeBytes) {
    const sizeBytes = Math.min(file.sizeBytes - offset, limit.bytes())
    let counted = 0
    const count = (bytes: number) => {
      counted += bytes
      onSent(bytes)
    }
    let next = offset
    try {
      next = await appendPiece(options, { path, offset, sizeBytes, onSent: count })
    } catch (error) {
      await patience.afterFailure(error)
      if (error instanceof NetworkError && ++losses > 1) limit.lost(sizeBytes)
      next = (await persist(() => tus.inspect(path), patience)).offset
    }
    onSent(next - offset - counted)
    if (next > offset) {
      patience.progressed()
      losses = 0
    }
    offset = next
  }
}

interface PieceOfFile {
  path: string
  offset: number
  sizeBytes: number
  onSent: (bytes: number) => void
}

/** Returns where the upload is afterwards. */
async function appendPiece(
  { tus, file, limit }: SendFileOptions,
  { path, offset, sizeBytes, onSent }: PieceOfFile,
): Promise<number> {
  const handle = await open(file.path)
  const response = await tus
    .append(path, {
      offset,
      sizeBytes,
      body: readRange(handle, file, { offset, sizeBytes }),
      onSent,
    })
    .finally(() => handle.close())
  if (response.status === 204) {
    await discard(response)
    return Number(response.headers.get('upload-offset'))
  }
  const isProxy = isRefusedByProxy(response)
  const refusal = await refusalOf(response)
  if (!isProxy) throw refusal
  if (!limit.refused(sizeBytes)) throw refusedByProxy()
  return offset
}

function readRange(
  handle: FileHandle,
  { path }: LocalFile,
  { offset, sizeBytes }: { offset: number; sizeBytes: number },
): BodySource {
  let at = offset
  const end = offset + sizeBytes
  return {
    async read(buffer) {
      if (at === end) return 0
      const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, end - at), at)
      // The request would wait for the rest for ever.
      if (bytesRead === 0) throw new CliError(`${path} has become smaller.`)
      at += bytesRead
      return bytesRead
    },
  }
}
