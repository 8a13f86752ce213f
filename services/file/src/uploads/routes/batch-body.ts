import {
  type BatchFile,
  batchManifestSchema,
  MOST_BATCH_BYTES,
  MOST_MANIFEST_BYTES,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import { validate } from '@floe/http'

const LENGTH_BYTES = 4

/** No body of a batch is longer. */
export const MOST_BODY_BYTES = LENGTH_BYTES + MOST_MANIFEST_BYTES + MOST_BATCH_BYTES

export type ReceivedFile = BatchFile & { bytes: Buffer }

/**
 * Takes the body of a batch apart; the bytes of each file are a view of it. Fails with
 * `validation_failed` when it is not one, or is longer or shorter than its manifest says.
 */
export function readBatchBody(body: Buffer): ReceivedFile[] {
  const manifestBytes = body.length < LENGTH_BYTES ? Infinity : body.readUInt32BE(0)
  const start = LENGTH_BYTES + manifestBytes
  if (manifestBytes > MOST_MANIFEST_BYTES || start > body.length) {
    throw new AppError('validation_failed', { issues: ['manifest: length is wrong'] })
  }
  const { files } = validate(batchManifestSchema, parse(body.subarray(LENGTH_BYTES, start)))
  let end = start
  const received = files.map((file) => {
    const from = end
    end += file.sizeBytes
    return { ...file, bytes: body.subarray(from, end) }
  })
  if (end !== body.length) {
    throw new AppError('validation_failed', {
      issues: [`body: must have ${end} bytes, has ${body.length}`],
    })
  }
  return received
}

function parse(manifest: Buffer): unknown {
  try {
    return JSON.parse(manifest.toString())
  } catch (error) {
    throw new AppError('validation_failed', {
      cause: error,
      issues: ['manifest: must be JSON'],
    })
  }
}
