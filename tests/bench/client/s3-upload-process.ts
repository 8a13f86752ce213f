/**
 * Uploads SIZE bytes straight into a bucket, in parts of the size Floe uses, four at a time and
 * without a digest of the bytes; prints how many seconds it took.
 */
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { openS3Client } from './s3.ts'

const {
  SIZE,
  S3_ENDPOINT = '',
  S3_BUCKET = '',
  S3_ACCESS_KEY = '',
  S3_SECRET_KEY = '',
} = process.env
const PART_BYTES = 8 * 2 ** 20
const PARALLEL_PARTS = 4

const sizeBytes = Number(SIZE)
const client = openS3Client({
  endpoint: S3_ENDPOINT,
  accessKey: S3_ACCESS_KEY,
  secretKey: S3_SECRET_KEY,
})
const body = Buffer.alloc(PART_BYTES, 'a line of text that repeats\n')
const object = { Bucket: S3_BUCKET, Key: 'direct.bin' }

const startedAt = performance.now()
const { UploadId } = await client.send(new CreateMultipartUploadCommand(object))
const numbers = Array.from({ length: Math.ceil(sizeBytes / PART_BYTES) }, (_, index) => index + 1)
const waiting = numbers.values()
const parts: { PartNumber: number; ETag: string | undefined }[] = []

async function sendParts(): Promise<void> {
  for (const PartNumber of waiting) {
    const Body = body.subarray(0, Math.min(PART_BYTES, sizeBytes - (PartNumber - 1) * PART_BYTES))
    const { ETag } = await client.send(
      new UploadPartCommand({ ...object, UploadId, PartNumber, Body }),
    )
    parts.push({ PartNumber, ETag })
  }
}

await Promise.all(Array.from({ length: PARALLEL_PARTS }, sendParts))
const Parts = parts.toSorted((a, b) => a.PartNumber - b.PartNumber)
await client.send(
  new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts } }),
)
console.log(JSON.stringify({ seconds: (performance.now() - startedAt) / 1000 }))
client.destroy()
