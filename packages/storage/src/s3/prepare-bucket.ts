import { CreateBucketCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { StartError } from '@floe/db'
import type { S3Calls } from './s3-calls.ts'
import type { S3Options } from './s3-client.ts'

/**
 * Makes the bucket where it is missing, then has it claimed. Rejects with a `StartError` that says
 * what is to be done.
 */
export async function prepareBucket(
  { client }: Pick<S3Calls, 'client'>,
  { endpoint = 'AWS', bucket, region }: Pick<S3Options, 'endpoint' | 'bucket' | 'region'>,
  claim: () => Promise<void>,
): Promise<void> {
  try {
    await client.send(new ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 }))
  } catch (error) {
    if (nameOf(error) !== 'NoSuchBucket') throw explain(error)
    await client.send(new CreateBucketCommand({ Bucket: bucket })).catch((refusal: unknown) => {
      // Another replica, at the same moment.
      if (nameOf(refusal) !== 'BucketAlreadyOwnedByYou') throw explain(refusal)
    })
  }
  await claim().catch((error: unknown) => {
    throw error instanceof StartError ? error : explain(error)
  })

  function explain(error: unknown): StartError {
    const name = nameOf(error)
    const message = messages[name] ?? messages[codeOf(error)]
    const told = message ?? `S3 at ${endpoint} refuses access to the bucket ${bucket}: ${name}`
    const filled = told
      .replace('{endpoint}', endpoint)
      .replace('{bucket}', bucket)
      .replace('{region}', region)
    return new StartError(filled, error)
  }
}

const unreachable = 'S3 cannot be reached at {endpoint}: check S3_ENDPOINT'
const unknownKey = 'S3 at {endpoint} does not know S3_ACCESS_KEY: check both keys'
const messages: Record<string, string> = {
  InvalidAccessKeyId: unknownKey,
  // versitygw says so.
  XAdminUserNotFound: unknownKey,
  SignatureDoesNotMatch: 'S3 at {endpoint} rejects S3_SECRET_KEY: check both keys',
  AccessDenied: 'S3 at {endpoint} does not allow S3_ACCESS_KEY to use the bucket {bucket}',
  RequestTimeTooSkewed:
    'The clocks of this machine and of S3 at {endpoint} differ too much: synchronize them',
  InvalidBucketName: 'S3_BUCKET is not a valid bucket name: {bucket}',
  AuthorizationHeaderMalformed: 'S3 at {endpoint} is not in the region {region}: check S3_REGION',
  ECONNREFUSED: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  TimeoutError: unreachable,
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown error'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
