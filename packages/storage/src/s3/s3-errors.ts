import { S3ServiceException } from '@aws-sdk/client-s3'
import { AppError } from '@floe/errors'

const fullNames = ['XMinioStorageFull', 'QuotaExceeded', 'EntityTooLarge', 'InsufficientStorage']

/** Runs one call, and converts what the server reports. */
export async function reported<Result>(
  operation: string,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    throw convertS3Error(error, operation)
  }
}

export function convertS3Error(error: unknown, operation: string): AppError {
  if (error instanceof AppError) return error
  const options = { cause: error, detail: `object store: ${operation}: ${nameOf(error)}` }
  if (fullNames.includes(nameOf(error)) || httpStatusOf(error) === 507) {
    return new AppError('storage_full', options)
  }
  if (isNamed(error, 'NoSuchKey', 'NotFound')) return new AppError('file_not_found', options)
  // The server is there, but not ready or too busy.
  if (httpStatusOf(error) === 503) return new AppError('upstream_unavailable', options)
  return new AppError('internal', options)
}

/** The cause of a converted error, as S3 names it. */
export function isCausedBy(error: unknown, ...names: readonly string[]): boolean {
  return error instanceof AppError && isNamed(error.cause, ...names)
}

export function isNamed(error: unknown, ...names: readonly string[]): boolean {
  return names.includes(nameOf(error))
}

export function httpStatusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
}

/** For members that S3 must send and the client types as optional. */
export function asPresent(value: string | undefined): string {
  if (value === undefined) {
    throw new AppError('internal', { detail: 'S3 left out what it must say' })
  }
  return value
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : ''
}
