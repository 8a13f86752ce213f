import { randomBytes, randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { isNameTooLong, type UploadGrant } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { newObjectKey } from '@floe/storage'
import type { NewUpload } from './upload-ports.ts'
import type { Limits } from '../../quotas/domain/quotas.ts'
import { receiveBody } from '@floe/transfer'
import type { SmallFiles } from './small-files.ts'
import { SMALL_BODY_BYTES, type Upload } from './upload.ts'
import type { TransferMeter } from '../../transfers/domain/transfer-meter.ts'
import type { UploadTarget } from './upload-targets.ts'

export interface BeginOptions {
  grant: UploadGrant
  name: string
  lengthBytes: number | null
  limits: Limits
  metadata?: string
  concatenation?: string
}

/**
 * A fresh upload of a share; its id is its capability, so it has 192 random bits.
 * Fails with file_name_too_long.
 */
export function draftUpload({
  grant,
  name,
  lengthBytes,
  limits,
  metadata,
  concatenation,
}: BeginOptions): NewUpload {
  if (isNameTooLong(name)) throw new AppError('file_name_too_long')
  return {
    id: randomBytes(24).toString('base64url'),
    kind: 'file',
    shareUid: grant.shareUid,
    shareId: grant.shareId,
    userId: grant.userId,
    chargedTo: grant.chargedTo,
    fileId: randomUUID(),
    name,
    metadata: metadata ?? null,
    concatenation: concatenation ?? null,
    lengthBytes,
    chunkBytes: null,
    objectKey: newObjectKey(),
    reservedBytes: lengthBytes ?? 0,
    limits,
  }
}

/** Can the whole file come in this one request and be stored in one go? */
export function fitsInOneGo(lengthBytes: number | null, bodyBytes: number | null): boolean {
  return lengthBytes !== null && lengthBytes === bodyBytes && lengthBytes <= SMALL_BODY_BYTES
}

/**
 * A small file whose bytes come with its creation: body first, then row, object, and the one
 * commit that makes it a file. Nothing is left behind when the sender goes away before the end or
 * there is no space for the bytes.
 */
export async function receiveSmallFile(
  draft: NewUpload,
  stream: Readable,
  { smallFiles, verify, target, meter }: SmallFileOptions,
): Promise<Upload> {
  const body = await receiveWhole(stream, draft.lengthBytes ?? 0, meter)
  verify?.(body)
  return smallFiles.store({ draft, target, body })
}

async function receiveWhole(
  stream: Readable,
  lengthBytes: number,
  meter: TransferMeter,
): Promise<Buffer[]> {
  const body: Buffer[] = []
  const transfer = meter.transferBegins('upload')
  const end = await receiveBody(stream, {
    batch: { batchBytes: SMALL_BODY_BYTES },
    maxBytes: lengthBytes,
    signal: new AbortController().signal,
    onBatch: (chunks, bytes) => {
      body.push(...chunks)
      transfer.moved(bytes)
      return Promise.resolve()
    },
  }).finally(() => transfer.end())
  if (end === 'overflow') throw new AppError('upload_length_exceeded')
  if (end === 'cut' || totalBytes(body) !== lengthBytes) {
    throw new AppError('upload_interrupted', { detail: 'body ended early' })
  }
  return body
}

function totalBytes(chunks: readonly Buffer[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.length, 0)
}

export interface SmallFileOptions {
  smallFiles: SmallFiles
  meter: TransferMeter
  target: UploadTarget
  /** Throws when the body is not what its sender promised. */
  verify?: (body: readonly Buffer[]) => void
}
