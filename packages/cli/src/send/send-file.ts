import type { RequestLimit } from '@floe/contracts'
import { NetworkError, refusedByProxy } from '../failures.ts'
import { discard, isRefusedByProxy, refusalOf } from '../http-client.ts'
import { readCrc32 } from './crc32.ts'
import type { OutgoingFile, OutgoingPiece } from './outgoing-file.ts'
import { createPatience, type OnWait, persist } from './patience.ts'
import type { Tus } from './tus.ts'

export interface SendFileOptions {
  tus: Tus
  limit: RequestLimit
  shareId: string
  file: OutgoingFile
  /** Of an upload of this file that was begun before. */
  begun: string | undefined
  /** Bytes that have left, negative where they have to leave again. */
  onSent: (bytes: number) => void
  /** Bytes that were there already. */
  onKept: (bytes: number) => void
  onWait: OnWait
}

/** Sends one file by tus, from where it ended. */
export async function sendFile(options: SendFileOptions): Promise<void> {
  const { tus, file, shareId, onKept } = options
  const kept = options.begun === undefined ? null : await findKept(options, options.begun)
  const create = () => persist(() => tus.create({ shareId, ...file }), createPatience(options))
  const upload = kept ?? { path: await create(), offset: 0 }
  onKept(upload.offset)
  await append(options, upload)
}

interface Upload {
  path: string
  offset: number
}

/** `null` where what was sent is not the beginning of the file, or is gone. */
async function findKept(options: SendFileOptions, path: string): Promise<Upload | null> {
  const { tus, file } = options
  const { offset, checksum } = await persist(() => tus.inspect(path), createPatience(options))
  if (await file.beginsLike(offset, readCrc32(checksum))) return { path, offset }
  await tus.terminate(path)
  return null
}

async function append(options: SendFileOptions, { path, offset: start }: Upload): Promise<void> {
  const { tus, file, limit, onSent, onWait } = options
  const patience = createPatience({ onWait })
  let offset = start
  let losses = 0
  while (offset < file.sizeBytes) {
    const piece = await file.readPiece(offset, limit.bytes())
    let counted = 0
    const count = (bytes: number) => {
      counted += bytes
      onSent(bytes)
    }
    let next = offset
    try {
      next = await appendPiece(options, { path, offset, piece, onSent: count })
    } catch (error) {
      await patience.afterFailure(error)
      if (error instanceof NetworkError && ++losses > 1) limit.lost(piece.sizeBytes)
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
  piece: OutgoingPiece
  onSent: (bytes: number) => void
}

/** Returns where the upload is afterwards. */
async function appendPiece(
  { tus, limit }: SendFileOptions,
  { path, offset, piece, onSent }: PieceOfFile,
): Promise<number> {
  const response = await tus.append(path, { ...piece, offset, onSent }).finally(() => piece.close())
  if (response.status === 204) {
    await discard(response)
    return Number(response.headers.get('upload-offset'))
  }
  const isProxy = isRefusedByProxy(response)
  const refusal = await refusalOf(response)
  if (!isProxy) throw refusal
  if (!limit.refused(piece.sizeBytes)) throw refusedByProxy()
  return offset
}
