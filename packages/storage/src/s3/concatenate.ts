import { AppError } from '@floe/errors'
import type { ObjectKey } from '@floe/storage'
import { type Source, sendSources } from './send-sources.ts'
import type { WriterClaim } from './object-table.ts'
import { planParts } from './part-plan.ts'
import type { S3Dependencies } from './s3-writer.ts'

const headsAtOnce = 16

/** As `ObjectStore.concatenate`, one at a time for each key. */
export async function concatenate(
  dependencies: S3Dependencies,
  key: ObjectKey,
  sources: readonly Source[],
): Promise<void> {
  const { calls, table } = dependencies
  const bytes = sources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const known = await table.find(key)
  if (known?.isFinished && (await calls.sizeOf(key)) === bytes) return
  await checkSources(dependencies, sources)
  if (known === null) await table.add(key, planParts(bytes))
  const claim = await table.claim(key)
  if (claim === null) throw new AppError('internal', { detail: 'object was removed' })
  if (claim.object.uploadId !== null || claim.object.wasBeginning) await calls.abortAll(key)
  if (bytes === 0) await calls.put(key, Buffer.alloc(0), 0)
  else await joinParts(dependencies, claim, sources)
  await table.finish(claim, { offsetBytes: bytes, crc32: 0 })
}

async function checkSources(
  { calls }: Pick<S3Dependencies, 'calls'>,
  sources: readonly Source[],
): Promise<void> {
  for (let from = 0; from < sources.length; from += headsAtOnce) {
    const batch = sources.slice(from, from + headsAtOnce)
    const sizes = await Promise.all(batch.map(({ key }) => calls.sizeOf(key)))
    for (const [index, { sizeBytes }] of batch.entries()) {
      const size = sizes[index] ?? null
      if (size === null) throw new AppError('file_not_found', { detail: 'a source is absent' })
      if (size !== sizeBytes) {
        throw new AppError('internal', { detail: `a source has ${size} bytes, not ${sizeBytes}` })
      }
    }
  }
}

async function joinParts(
  dependencies: S3Dependencies,
  claim: WriterClaim,
  sources: readonly Source[],
): Promise<void> {
  const { calls, table } = dependencies
  const { key } = claim
  await table.noteBeginning(claim)
  const uploadId = await calls.beginParts(key, { withChecksums: false })
  try {
    await table.setUploadId(claim, uploadId)
    const parts = await sendSources(dependencies, { key, uploadId }, sources)
    await calls.completeParts(key, uploadId, parts)
  } catch (error) {
    await calls.abortParts(key, uploadId).catch(() => undefined)
    throw error
  }
}
