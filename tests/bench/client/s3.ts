import {
  CreateBucketCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { fileURLToPath } from 'node:url'
import { sourceNodeArgs } from '../harness/node-args.ts'
import { runCommand } from '../harness/process.ts'
import type { Minio } from '../references/minio.ts'

type Place = Pick<Minio, 'endpoint' | 'accessKey' | 'secretKey'>

/** A client that digests nothing, as Floe's. */
export function openS3Client({ endpoint, accessKey, secretKey }: Place): S3Client {
  const client = new S3Client({
    endpoint,
    forcePathStyle: true,
    region: 'us-east-1',
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  client.middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> }
      headers['x-amz-content-sha256'] ??= 'UNSIGNED-PAYLOAD'
      return next(args)
    },
    { step: 'build', name: 'unsignedPayload', priority: 'low' },
  )
  return client
}

/** A bucket of its own for what is compared with Floe. */
export interface Bucket {
  upload: (sizeBytes: number) => Promise<{ seconds: number }>
  /** Stores an object in parts, as Floe does; the path that reads it without further rights. */
  publish: (sizeBytes: number) => Promise<string>
  empty: () => Promise<void>
  close: () => void
}

export async function openBucket(minio: Minio, name: string): Promise<Bucket> {
  const client = openS3Client(minio)
  await client.send(new CreateBucketCommand({ Bucket: name }))
  const script = fileURLToPath(new URL('./s3-upload-process.ts', import.meta.url))
  const upload = async (sizeBytes: number) => {
    const env = { ...minio.environment(name), SIZE: `${sizeBytes}` }
    const output = await runCommand(process.execPath, [...sourceNodeArgs, script], { env })
    return JSON.parse(output) as { seconds: number }
  }
  return {
    upload,
    publish: async (sizeBytes) => {
      await upload(sizeBytes)
      const object = { Bucket: name, Key: 'direct.bin' }
      const url = new URL(
        await getSignedUrl(client, new GetObjectCommand(object), { expiresIn: 3600 }),
      )
      return url.pathname + url.search
    },
    empty: async () => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: name }))
      if (Contents.length === 0) return
      const Objects = Contents.map(({ Key }) => ({ Key }))
      await client.send(new DeleteObjectsCommand({ Bucket: name, Delete: { Objects } }))
    },
    close: () => client.destroy(),
  }
}
