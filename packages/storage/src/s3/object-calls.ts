import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { AppError } from '@floe/errors'
import { isObjectKey, type ObjectKey, type ReadSpan } from '@floe/storage'
import { Readable } from 'node:stream'
import { type ByteStream, readFrom } from './byte-stream.ts'
import { base64Crc32, type Payload, sendPayload } from './payload.ts'
import type { RangeReads } from './range-reads.ts'
import { type Bucket, objectsFolder, placeOfObject } from './s3-client.ts'
import { reported, httpStatusOf } from './s3-errors.ts'

const keysPerDelete = 1000

type Place = ReturnType<typeof placeOfObject>

/** Calls on whole objects. */
export function createObjectCalls(bucket: Bucket, ranges: RangeReads | null) {
  return {
    put: (key: ObjectKey, payload: Payload, crc32: number) =>
      reported('put', () => putObject(bucket, key, payload, crc32)),

    /** Null if there is no such object. */
    sizeOf: (key: ObjectKey) =>
      reported('head', () => sizeOf(bucket.client, placeOfObject(bucket.bucket, key))),

    /** Null where the object ends before the span begins. */
    read: (key: ObjectKey, span: ReadSpan) =>
      reported('read', async () => {
        const direct = ranges && (await readDirectly(bucket, ranges, key, span))
        return direct ?? readSpan(bucket.client, placeOfObject(bucket.bucket, key), span)
      }),

    remove: (keys: readonly ObjectKey[]) => reported('remove', () => removeObjects(bucket, keys)),

    list: () => listObjects(bucket),
  }
}

async function putObject(
  { client, bucket }: Bucket,
  key: ObjectKey,
  payload: Payload,
  crc32: number,
): Promise<void> {
  const place = { ...placeOfObject(bucket, key), ChecksumCRC32: base64Crc32(crc32) }
  await sendPayload(payload, (body) => client.send(new PutObjectCommand({ ...place, ...body })))
}

/** Null if there is no such object. */
export async function sizeOf(client: S3Client, place: Place): Promise<number | null> {
  try {
    const { ContentLength = 0 } = await client.send(new HeadObjectCommand(place))
    return ContentLength
  } catch (error) {
    if (httpStatusOf(error) === 404) return null
    throw error
  }
}

/** Null if it fails: the client then finds the same failure and reports it, or overcomes it. */
async function readDirectly(
  { client, bucket }: Bucket,
  ranges: RangeReads,
  key: ObjectKey,
  span: ReadSpan,
): Promise<ByteStream | null> {
  const address = await getSignedUrl(client, new GetObjectCommand(placeOfObject(bucket, key)))
  return ranges.open(address, span).catch(() => null)
}

/** Null where the object ends before the span begins. */
export async function readSpan(
  client: S3Client,
  place: Place,
  { start, end }: ReadSpan,
): Promise<ByteStream | null> {
  try {
    const range = { ...place, Range: `bytes=${start}-${end - 1}` }
    const { Body } = await client.send(new GetObjectCommand(range))
    if (Body instanceof Readable) return readFrom(Body)
  } catch (error) {
    if (httpStatusOf(error) === 416) return null
    throw error
  }
  throw new AppError('internal', { detail: 'the response of S3 has no body' })
}

async function removeObjects(
  { client, bucket }: Bucket,
  keys: readonly ObjectKey[],
): Promise<void> {
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
        detail: `S3 does not remove ${String(refused.Key)}: ${String(refused.Code)}`,
      })
    }
  }
}

async function* listObjects({
  client,
  bucket,
}: Bucket): AsyncGenerator<{ key: ObjectKey; sizeBytes: number }> {
  let after: string | undefined
  do {
    const command = new ListObjectsV2Command({
      Bucket: bucket,
      Prefix: objectsFolder,
      ...(after === undefined ? {} : { ContinuationToken: after }),
    })
    const page = await reported('list', () => client.send(command))
    for (const { Key = '', Size = 0 } of page.Contents ?? []) {
      const key = Key.slice(objectsFolder.length)
      if (isObjectKey(key)) yield { key, sizeBytes: Size }
    }
    after = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (after !== undefined)
}
