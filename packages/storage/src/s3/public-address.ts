import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { AppError } from '@floe/errors'
import type { HandOffHeaders, ObjectKey } from '@floe/storage'
import { objectsFolder, type S3Options } from './s3-client.ts'

/** Browsers follow at once; an address that is found later, in a history or a log, is void. */
export const addressLifeSeconds = 60

/** Signs in this process, without a call. */
export function createPublicAddresses(
  publicEndpoint: string,
  { region, bucket, accessKey, secretKey }: S3Options,
) {
  const signer = new S3Client({
    endpoint: publicEndpoint,
    forcePathStyle: true,
    region,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })

  return async (key: ObjectKey, { contentType, contentDisposition }: HandOffHeaders) => {
    const command = new GetObjectCommand({
      Bucket: bucket,
      Key: objectsFolder + key,
      ResponseContentType: contentType,
      ResponseContentDisposition: contentDisposition,
      // Nobody asks for it again: the next download has an address of its own.
      ResponseCacheControl: 'no-store',
    })
    try {
      return await getSignedUrl(signer, command, { expiresIn: addressLifeSeconds })
    } catch (cause) {
      throw new AppError('internal', { cause, detail: 'object store: sign an address' })
    }
  }
}
