import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { crc32 as updateCrc32 } from 'node:zlib'
import { type BatchFile, type ErrorCode, isNameTooLong, type UploadGrant } from '@floe/contracts'
import { isAppError } from '@floe/errors'
import { newObjectKeys, type ObjectStore } from '@floe/storage'
import type { Limits } from '../../quotas/domain/quotas.ts'
import type { BatchStore, KnownFile, SentFile } from './batch-ports.ts'
import { discardStaged, type DiscardUpload } from './discard-upload.ts'
import type { UploadTarget, UploadTargets } from './upload-targets.ts'

export interface StoreBatchDependencies {
  batches: BatchStore
  objects: Pick<ObjectStore, 'putMany' | 'remove'>
  targets: Pick<UploadTargets, 'confirm'>
  discard: DiscardUpload
}

export interface Batch {
  grant: UploadGrant
  limits: Limits
  target: UploadTarget
  files: readonly (BatchFile & { bytes: Buffer })[]
}

/** Why a file was not stored. */
export interface RefusedFile {
  id: string
  name: string
  error: ErrorCode
}

/**
 * Makes files of a batch that has come whole: rows first, then all objects with one durable step,
 * then one commit. Each file is refused or stored on its own; one that the share has already, from
 * an earlier attempt whose response was lost, counts as stored.
 */
export async function storeBatch(
  dependencies: StoreBatchDependencies,
  { grant, limits, target, files }: Batch,
): Promise<RefusedFile[]> {
  const { batches, objects, targets } = dependencies
  const { shareUid } = grant
  const refused: RefusedFile[] = []
  const refuse = ({ id, name }: BatchFile, error: ErrorCode) => refused.push({ id, name, error })

  const known = await batches.findKnown(
    shareUid,
    files.map(({ id }) => id),
  )
  const fresh = prepare(
    files.filter((file) => {
      const error = refusalOf(file, known.get(file.id))
      if (error) refuse(file, error)
      return !error && !known.has(file.id)
    }),
  )
  const staged = await stageWhatFits(dependencies, { grant, limits, files: fresh, refuse })
  if (staged.length === 0) return refused

  const stored = await makeFiles(dependencies, staged, async () => {
    const { edition } = await targets.confirm({ shareUid }, target)
    await objects.putMany(staged)
    return batches.finish(staged, edition)
  })
  const unused = staged.filter(({ id }) => !stored.has(id))
  if (unused.length === 0) return refused
  await objects.remove(unused.map(({ objectKey }) => objectKey))
  const made = await batches.findKnown(
    shareUid,
    unused.map(({ id }) => id),
  )
  for (const file of unused) {
    const other = made.get(file.id)
    const error = other ? refusalOf(file, other) : 'upload_gone'
    if (error) refuse(file, error)
  }
  return refused
}

/** Null for what is fine, or is there already. */
function refusalOf(
  file: BatchFile & { bytes: Buffer },
  known: KnownFile | undefined,
): ErrorCode | null {
  if (isNameTooLong(file.name)) return 'file_name_too_long'
  if (known === undefined) return null
  const isSame = file.sizeBytes === known.sizeBytes && updateCrc32(file.bytes) === known.crc32
  return isSame && !known.isRemoved ? null : 'file_id_taken'
}

function prepare(files: Batch['files']): SentFile[] {
  const keys = newObjectKeys(files.length)
  return files.map((file, index) => ({
    ...file,
    crc32: updateCrc32(file.bytes),
    sha256: createHash('sha256').update(file.bytes).digest(),
    objectKey: keys[index] ?? '',
    uploadId: randomBytes(24).toString('base64url'),
    stagedId: randomUUID(),
  }))
}

interface Staging {
  grant: UploadGrant
  limits: Limits
  files: readonly SentFile[]
  refuse(file: BatchFile, error: ErrorCode): void
}

/** Others may take the space between a look at what is left and the attempt to take it. */
const MOST_ATTEMPTS = 5

async function stageWhatFits(
  { batches }: Pick<StoreBatchDependencies, 'batches'>,
  { grant, limits, files, refuse }: Staging,
): Promise<readonly SentFile[]> {
  let fitting = files
  for (let attempt = 1; fitting.length > 0; attempt += 1) {
    try {
      await batches.stage(grant, limits, fitting)
      break
    } catch (error) {
      const limit = limitCodes.find((code) => isAppError(error, code))
      if (limit === undefined) throw error
      if (attempt === MOST_ATTEMPTS) {
        for (const file of fitting) refuse(file, limit)
        return []
      }
      const charges = await batches.measureCharges(grant.shareUid, grant.chargedTo)
      fitting = chooseFitting(fitting, leftOf(limits, charges, grant), refuse)
    }
  }
  return fitting
}

const limitCodes = ['share_too_large', 'quota_exceeded', 'instance_quota_exceeded'] as const
type Left = Record<(typeof limitCodes)[number], number>

function leftOf(
  { maxShareBytes, maxUserBytes, maxInstanceBytes }: Limits,
  charges: Awaited<ReturnType<BatchStore['measureCharges']>>,
  { chargedTo }: UploadGrant,
): Left {
  const left = (maxBytes: number, usedBytes: number) =>
    maxBytes > 0 ? maxBytes - usedBytes : Infinity
  return {
    share_too_large: left(maxShareBytes, charges.shareBytes),
    quota_exceeded: chargedTo === null ? Infinity : left(maxUserBytes, charges.userBytes),
    instance_quota_exceeded: left(maxInstanceBytes, charges.instanceBytes),
  }
}

/** In their order, each that still fits beside those before it. */
function chooseFitting(
  files: readonly SentFile[],
  left: Left,
  refuse: Staging['refuse'],
): SentFile[] {
  let takenBytes = 0
  return files.filter((file) => {
    const limit = limitCodes.find((code) => takenBytes + file.sizeBytes > left[code])
    if (limit) refuse(file, limit)
    else takenBytes += file.sizeBytes
    return !limit
  })
}

/** What was staged goes with its rows when it cannot be made files. */
async function makeFiles<T>(
  dependencies: Pick<StoreBatchDependencies, 'discard' | 'objects'>,
  staged: readonly SentFile[],
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    for (const { uploadId: id, objectKey } of staged) {
      await discardStaged(dependencies, { id, objectKey }).catch(() => undefined)
    }
    throw error
  }
}
