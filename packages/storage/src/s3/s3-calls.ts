import { createMultipartCalls } from './multipart-calls.ts'
import { createObjectCalls } from './object-calls.ts'
import { createRangeReads } from './range-reads.ts'
import { createS3Client, type S3Options } from './s3-client.ts'

/**
 * The few calls that Floe makes, all of them in every S3 API: multipart, range, copy of a part,
 * listing, deletes in batches. Each converts what the server reports: no space is `storage_full`,
 * no such object `file_not_found`, anything else `internal` with the cause.
 */
export type S3Calls = ReturnType<typeof createS3Calls>

export function createS3Calls({ bucket, ...options }: S3Options) {
  const { endpoint } = options
  const client = createS3Client(options)
  // Over TLS it gains nothing: decrypted bytes come in buffers of the TLS library anyhow.
  const ranges = endpoint?.startsWith('http:') ? createRangeReads(endpoint) : null
  return {
    bucket,
    client,
    ...createObjectCalls({ client, bucket }, ranges),
    ...createMultipartCalls({ client, bucket }),
    close: () => {
      client.destroy()
      ranges?.close()
    },
  }
}
