import { S3Client } from '@aws-sdk/client-s3'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import type { ObjectKey } from '@floe/storage'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'

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

export interface Bucket {
  client: S3Client
  bucket: string
}

export const objectsFolder = 'objects/'
/** How often a call is tried before it fails. */
export const s3Tries = 3
/** Every download holds one, however slow its reader is. */
const sockets = 1000
const connectTimeoutMs = 5_000
/** Without a single byte in either direction. */
const silenceTimeoutMs = 30_000

export function createS3Client(options: Omit<S3Options, 'publicEndpoint' | 'bucket'>): S3Client {
  const { endpoint, region, accessKey, secretKey } = options
  const agents = { keepAlive: true, maxSockets: sockets }
  const client = new S3Client({
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    region,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    maxAttempts: s3Tries,
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
  // A digest of every part would cost more than sending it; the CRC-32 finds damaged bytes.
  client.middlewareStack.add(
    (next) => (args) => {
      if (hasHeaders(args.request)) {
        args.request.headers['x-amz-content-sha256'] ??= 'UNSIGNED-PAYLOAD'
      }
      return next(args)
    },
    { step: 'build', name: 'floeUnsignedPayload', priority: 'low' },
  )
  return client
}

/** What every call on an object names it by. */
export function placeOfObject(bucket: string, key: ObjectKey) {
  return { Bucket: bucket, Key: objectsFolder + key }
}

function hasHeaders(request: unknown): request is { headers: Record<string, string> } {
  return typeof request === 'object' && request !== null && 'headers' in request
}
