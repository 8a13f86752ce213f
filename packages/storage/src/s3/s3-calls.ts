import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { AppError } from '@floe/errors'
import { isObjectKey, type ObjectKey } from '@floe/storage'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { Readable } from 'node:stream'
import { type ByteSource, readFrom } from './byte-source.ts'
import { createRangeReads } from './range-reads.ts'

export interface S3Options {
  /** `http://127.0.0.1:9000`; absent is AWS itself. */
  endpoint?: string
  /** Where people reach the same server; absent where they do not. */
  publicEndpoint?: string
  region: string
  bucket: string
  accessKey: string
  secretKey: string
}

/** A part, or an object, to send: bytes in memory, or a stream that can be begun again. */
export type Payload = Uint8Array | { sizeBytes: number; open(): AsyncIterable<Uint8Array> }

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

export const objectsFolder = 'objects/'
const keysPerDelete = 1000
const tries = 3
/** Every download holds one, however slow its reader is. */
const sockets = 1000
const connectTimeoutMs = 5_000
/** Without a single byte in either direction. */
const silenceTimeoutMs = 30_000

/**
 * The few calls that Floe makes, all of them in every S3 API: multipart, range, copy of a part,
 * listing, deletes in batches. Each converts what the server reports: no room is `storage_full`,
 * no such object `file_not_found`, anything else `internal` with the cause.
 */
export type S3Calls = ReturnType<typeof createS3Calls>

export function createS3Calls({ endpoint, region, bucket, accessKey, secretKey }: S3Options) {
  const agents = { keepAlive: true, maxSockets: sockets }
  const client = new S3Client({
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    region,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    maxAttempts: tries,
    // The CRC-32 of a part is known by the time it is sent, and sent along.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: new NodeHttpHandler({
      httpAgent: new HttpAgent(agents),
      httpsAgent: new HttpsAgent(agents),
      connectionTimeout: connectTimeoutMs,
      socketTimeout: silenceTimeoutMs,
    }),
  })
  // A digest of every part would cost more than sending it; the CRC-32 finds what the way damaged.
  client.middlewareStack.add(
    (next) => (args) => {
      if (isHeaderBearer(args.request)) {
        args.request.headers['x-amz-content-sha256'] ??= 'UNSIGNED-PAYLOAD'
      }
      return next(args)
    },
    { step: 'build', name: 'floeUnsignedPayload', priority: 'low' },
  )
  const at = (key: ObjectKey) => ({ Bucket: bucket, Key: objectsFolder + key })
  // What is encrypted comes in the client's own pieces anyhow.
  const ranges = endpoint?.startsWith('http:') ? createRangeReads(endpoint) : null

  /** Streams are begun again by us: the client cannot. */
  async function send<Result>(
    payload: Payload,
    attempt: (body: { Body: Uint8Array | Readable; ContentLength: number }) => Promise<Result>,
  ): Promise<Result> {
    if (payload instanceof Uint8Array) {
      return attempt({ Body: payload, ContentLength: payload.byteLength })
    }
    for (let tried = 1; ; tried += 1) {
      const body = Readable.from(payload.open(), { objectMode: false })
      try {
        return await attempt({ Body: body, ContentLength: payload.sizeBytes })
      } catch (error) {
        if (tried >= tries || !isWorthAnotherTry(error)) throw error
      } finally {
        body.destroy()
      }
    }
  }

  async function listUploads(key: ObjectKey): Promise<string[]> {
    const { Uploads = [] } = await client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: objectsFolder + key }),
    )
    return Uploads.flatMap(({ UploadId }) => UploadId ?? [])
  }

  async function abortUpload(key: ObjectKey, uploadId: string): Promise<void> {
    await client
      .send(new AbortMultipartUploadCommand({ ...at(key), UploadId: uploadId }))
      .catch((error: unknown) => {
        if (!isNamed(error, 'NoSuchUpload')) throw error
      })
  }

  async function abortUploads(key: ObjectKey, kept?: string): Promise<void> {
    for (const id of await listUploads(key)) if (id !== kept) await abortUpload(key, id)
  }

  return {
    bucket,
    client,

    put: (key: ObjectKey, payload: Payload, crc32: number) =>
      reported('put', async () => {
        await send(payload, (body) =>
          client.send(new PutObjectCommand({ ...at(key), ...body, ChecksumCRC32: base64(crc32) })),
        )
      }),

    /** @param withChecksums every part is then sent with its own. */
    beginParts: (key: ObjectKey, { withChecksums }: { withChecksums: boolean }) =>
      reported('begin parts', async () => {
        const { UploadId, $metadata } = await client.send(
          new CreateMultipartUploadCommand({
            ...at(key),
            ...(withChecksums ? { ChecksumAlgorithm: 'CRC32' } : {}),
          }),
        )
        const id = asPresent(UploadId)
        // What an earlier try began, its answer lost, nobody would ever end.
        if (($metadata.attempts ?? 1) > 1) await abortUploads(key, id)
        return id
      }),

    /** Ends whatever was begun for this object. */
    abortAll: (key: ObjectKey) => reported('abort', () => abortUploads(key)),

    sendPart: (
      { key, uploadId, number, crc32 }: PartToSend,
      payload: Payload,
      signal?: AbortSignal,
    ) =>
      reported('send a part', async (): Promise<SentPart> => {
        const place = { ...at(key), UploadId: uploadId, PartNumber: number }
        const checksum = crc32 === undefined ? {} : { ChecksumCRC32: base64(crc32) }
        const { ETag } = await send(payload, (body) =>
          client.send(
            new UploadPartCommand({ ...place, ...body, ...checksum }),
            signal === undefined ? {} : { abortSignal: signal },
          ),
        )
        return { number, etag: asPresent(ETag), ...(crc32 === undefined ? {} : { crc32 }) }
      }),

    copyPart: (
      key: ObjectKey,
      uploadId: string,
      number: number,
      source: { key: ObjectKey; start: number; end: number },
    ) =>
      reported('copy a part', async (): Promise<SentPart> => {
        const { CopyPartResult } = await client.send(
          new UploadPartCopyCommand({
            ...at(key),
            UploadId: uploadId,
            PartNumber: number,
            CopySource: `${bucket}/${objectsFolder}${source.key}`,
            CopySourceRange: `bytes=${source.start}-${source.end - 1}`,
          }),
        )
        return { number, etag: asPresent(CopyPartResult?.ETag) }
      }),

    completeParts: (key: ObjectKey, uploadId: string, parts: readonly SentPart[]) =>
      reported('complete', async () => {
        const Parts = parts.map(({ number, etag, crc32 }) => ({
          PartNumber: number,
          ETag: etag,
          ...(crc32 === undefined ? {} : { ChecksumCRC32: base64(crc32) }),
        }))
        await client.send(
          new CompleteMultipartUploadCommand({
            ...at(key),
            UploadId: uploadId,
            MultipartUpload: { Parts },
          }),
        )
      }),

    /** Harmless where there is none any more. */
    abortParts: (key: ObjectKey, uploadId: string) =>
      reported('abort', () => abortUpload(key, uploadId)),

    /** Null if there is no such object. */
    sizeOf: (key: ObjectKey) =>
      reported('head', async () => {
        try {
          return (await client.send(new HeadObjectCommand(at(key)))).ContentLength ?? 0
        } catch (error) {
          if (statusOf(error) === 404) return null
          throw error
        }
      }),

    /** Null where the object ends before the span begins. */
    read: (key: ObjectKey, { start, end }: { start: number; end: number }) =>
      reported('read', async (): Promise<ByteSource | null> => {
        const address = ranges && (await getSignedUrl(client, new GetObjectCommand(at(key))))
        // Whatever is wrong with it, the client finds out and says, or overcomes.
        const direct = address && (await ranges.open(address, { start, end }).catch(() => null))
        if (direct) return direct
        try {
          const { Body } = await client.send(
            new GetObjectCommand({ ...at(key), Range: `bytes=${start}-${end - 1}` }),
          )
          if (Body instanceof Readable) return readFrom(Body)
        } catch (error) {
          if (statusOf(error) === 416) return null
          throw error
        }
        throw new AppError('internal', { detail: 'S3 answered without a body' })
      }),

    remove: (keys: readonly ObjectKey[]) =>
      reported('remove', async () => {
        for (let from = 0; from < keys.length; from += keysPerDelete) {
          const batch = keys.slice(from, from + keysPerDelete)
          const { Errors = [] } = await client.send(
            new DeleteObjectsCommand({
              Bucket: bucket,
              Delete: { Quiet: true, Objects: batch.map((key) => ({ Key: objectsFolder + key })) },
            }),
          )
          const refused = Errors.find(({ Code }) => Code !== 'NoSuchKey')
          if (refused) {
            throw new AppError('internal', {
              detail: `S3 removes ${String(refused.Key)} not: ${String(refused.Code)}`,
            })
          }
        }
      }),

    async *list(): AsyncGenerator<{ key: ObjectKey; sizeBytes: number }> {
      let after: string | undefined
      do {
        const page = await reported('list', () =>
          client.send(
            new ListObjectsV2Command({
              Bucket: bucket,
              Prefix: objectsFolder,
              ...(after === undefined ? {} : { ContinuationToken: after }),
            }),
          ),
        )
        for (const { Key = '', Size = 0 } of page.Contents ?? []) {
          const key = Key.slice(objectsFolder.length)
          if (isObjectKey(key)) yield { key, sizeBytes: Size }
        }
        after = page.IsTruncated ? page.NextContinuationToken : undefined
      } while (after !== undefined)
    },

    /** What was begun for an object and not ended. MinIO lists only what it is asked for by name. */
    uploadsOf: (key: ObjectKey) => reported('list uploads', () => listUploads(key)),

    close: () => {
      client.destroy()
      ranges?.close()
    },
  }
}

async function reported<Result>(operation: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    throw convertS3Error(error, operation)
  }
}

const fullNames = ['XMinioStorageFull', 'QuotaExceeded', 'EntityTooLarge', 'InsufficientStorage']

export function convertS3Error(error: unknown, operation: string): AppError {
  if (error instanceof AppError) return error
  const options = { cause: error, detail: `object store: ${operation}: ${nameOf(error)}` }
  if (fullNames.includes(nameOf(error)) || statusOf(error) === 507) {
    return new AppError('storage_full', options)
  }
  if (isNamed(error, 'NoSuchKey', 'NotFound')) return new AppError('file_not_found', options)
  // The server is there, but not ready or too busy.
  if (statusOf(error) === 503) return new AppError('upstream_unavailable', options)
  return new AppError('internal', options)
}

/** The cause of a converted error, as S3 names it. */
export function isCausedBy(error: unknown, ...names: readonly string[]): boolean {
  return error instanceof AppError && isNamed(error.cause, ...names)
}

function isNamed(error: unknown, ...names: readonly string[]): boolean {
  return names.includes(nameOf(error))
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : ''
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
}

/** Not what the server refuses, nor what the caller has given up. */
function isWorthAnotherTry(error: unknown): boolean {
  const status = statusOf(error)
  if (status !== undefined) return status >= 500
  return !isNamed(error, 'AbortError')
}

function isHeaderBearer(request: unknown): request is { headers: Record<string, string> } {
  return typeof request === 'object' && request !== null && 'headers' in request
}

function base64(crc32: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32 >>> 0)
  return bytes.toString('base64')
}

function asPresent(value: string | undefined): string {
  if (value === undefined)
    throw new AppError('internal', { detail: 'S3 left out what it must say' })
  return value
}
