import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import type { ObjectKey } from '@floe/storage'
import { base64Crc32, type Payload, sendPayload } from './payload.ts'
import { type Bucket, objectsFolder, placeOfObject } from './s3-client.ts'
import { asPresent, isNamed, reported } from './s3-errors.ts'

export interface SentPart {
  number: number
  etag: string
  /** Absent where the server has copied the part. */
  crc32?: number
}

export interface PartToSend {
  key: ObjectKey
  uploadId: string
  number: number
  /** Where the upload was begun with checksums. */
  crc32?: number
}

export interface PartToCopy {
  key: ObjectKey
  uploadId: string
  number: number
  source: { key: ObjectKey; start: number; end: number }
}

/** The multipart uploads of objects, from their beginning to their end. */
export function createMultipartCalls(bucket: Bucket) {
  return {
    /** @param withChecksums every part is then sent with its own. */
    beginParts: (key: ObjectKey, options: { withChecksums: boolean }) =>
      reported('begin parts', () => beginParts(bucket, key, options)),

    sendPart: (part: PartToSend, payload: Payload, signal?: AbortSignal) =>
      reported('send a part', () => sendPart(bucket, part, payload, signal)),

    copyPart: (part: PartToCopy) => reported('copy a part', () => copyPart(bucket, part)),

    completeParts: (key: ObjectKey, uploadId: string, parts: readonly SentPart[]) =>
      reported('complete', () => completeParts(bucket, key, uploadId, parts)),

    /** Harmless where the upload is gone. */
    abortParts: (key: ObjectKey, uploadId: string) =>
      reported('abort', () => abortUpload(bucket, key, uploadId)),

    /** Ends every upload that was begun for this object. */
    abortAll: (key: ObjectKey) => reported('abort', () => abortUploads(bucket, key)),

    /** What was begun for an object and not ended. MinIO lists only what it is asked for by name. */
    uploadsOf: (key: ObjectKey) => reported('list uploads', () => listUploads(bucket, key)),
  }
}

async function beginParts(
  s3: Bucket,
  key: ObjectKey,
  { withChecksums }: { withChecksums: boolean },
): Promise<string> {
  const { UploadId, $metadata } = await s3.client.send(
    new CreateMultipartUploadCommand({
      ...placeOfObject(s3.bucket, key),
      ...(withChecksums ? { ChecksumAlgorithm: 'CRC32' } : {}),
    }),
  )
  const id = asPresent(UploadId)
  // An earlier try may have begun an upload whose response was lost: nothing else would end it.
  if (($metadata.attempts ?? 1) > 1) await abortUploads(s3, key, id)
  return id
}

async function sendPart(
  s3: Bucket,
  { key, uploadId, number, crc32 }: PartToSend,
  payload: Payload,
  signal?: AbortSignal,
): Promise<SentPart> {
  const place = { ...placeOfObject(s3.bucket, key), UploadId: uploadId, PartNumber: number }
  const checksum = crc32 === undefined ? {} : { ChecksumCRC32: base64Crc32(crc32) }
  const { ETag } = await sendPayload(payload, (body) =>
    s3.client.send(
      new UploadPartCommand({ ...place, ...body, ...checksum }),
      signal === undefined ? {} : { abortSignal: signal },
    ),
  )
  return { number, etag: asPresent(ETag), ...(crc32 === undefined ? {} : { crc32 }) }
}

async function copyPart(
  s3: Bucket,
  { key, uploadId, number, source }: PartToCopy,
): Promise<SentPart> {
  const { CopyPartResult } = await s3.client.send(
    new UploadPartCopyCommand({
      ...placeOfObject(s3.bucket, key),
      UploadId: uploadId,
      PartNumber: number,
      CopySource: `${s3.bucket}/${objectsFolder}${source.key}`,
      CopySourceRange: `bytes=${source.start}-${source.end - 1}`,
    }),
  )
  return { number, etag: asPresent(CopyPartResult?.ETag) }
}

async function completeParts(
  s3: Bucket,
  key: ObjectKey,
  uploadId: string,
  parts: readonly SentPart[],
): Promise<void> {
  const Parts = parts.map(({ number, etag, crc32 }) => ({
    PartNumber: number,
    ETag: etag,
    ...(crc32 === undefined ? {} : { ChecksumCRC32: base64Crc32(crc32) }),
  }))
  await s3.client.send(
    new CompleteMultipartUploadCommand({
      ...placeOfObject(s3.bucket, key),
      UploadId: uploadId,
      MultipartUpload: { Parts },
    }),
  )
}

async function abortUpload(s3: Bucket, key: ObjectKey, uploadId: string): Promise<void> {
  const place = { ...placeOfObject(s3.bucket, key), UploadId: uploadId }
  await s3.client.send(new AbortMultipartUploadCommand(place)).catch((error: unknown) => {
    if (!isNamed(error, 'NoSuchUpload')) throw error
  })
}

async function abortUploads(s3: Bucket, key: ObjectKey, kept?: string): Promise<void> {
  for (const id of await listUploads(s3, key)) if (id !== kept) await abortUpload(s3, key, id)
}

async function listUploads(s3: Bucket, key: ObjectKey): Promise<string[]> {
  const { Uploads = [] } = await s3.client.send(
    new ListMultipartUploadsCommand({ Bucket: s3.bucket, Prefix: objectsFolder + key }),
  )
  return Uploads.flatMap(({ UploadId }) => UploadId ?? [])
}
