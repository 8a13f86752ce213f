import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import type { ObjectReader } from '@floe/storage'
import { readSpan, sizeOf } from './object-calls.ts'
import { createS3Client, type S3Options } from './s3-client.ts'
import { reported } from './s3-errors.ts'
import { openS3Reader, type ReadCalls } from './s3-reader.ts'

/** The bucket of another product, which is only read, by its own keys. */
export interface ForeignBucket {
  /** Fails with `internal` or `file_not_found` where the bucket cannot be read. */
  check(): Promise<void>
  /** Null if there is no such object. */
  sizeOf(key: string): Promise<number | null>
  openReader(key: string, sizeBytes: number): Promise<ObjectReader>
  close(): void
}

export function openForeignBucket({
  bucket: Bucket,
  ...options
}: Omit<S3Options, 'publicEndpoint'>): ForeignBucket {
  const client = createS3Client(options)
  const calls: ReadCalls = {
    sizeOf: (Key) => reported('head', () => sizeOf(client, { Bucket, Key })),
    read: (Key, span) => reported('read', () => readSpan(client, { Bucket, Key }, span)),
  }
  return {
    async check() {
      // A HEAD would not say what is wrong.
      await reported('list', () => client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 })))
    },
    sizeOf: (key) => calls.sizeOf(key),
    openReader: (key, sizeBytes) => openS3Reader(calls, key, { start: 0, end: sizeBytes }),
    close: () => client.destroy(),
  }
}
