import type { Log } from '@floe/log'
import type { DiscardUpload } from './discard-upload.ts'
import type { UploadStore } from './upload-ports.ts'
import type { UploadTargets } from './upload-targets.ts'
import { AppError } from '@floe/errors'
import { combineCrc32, type ObjectStore } from '@floe/storage'
import { type BeginOptions, draftUpload } from './begin-upload.ts'
import { isComplete, type Upload } from './upload.ts'

export interface ConcatenationDependencies {
  store: Pick<UploadStore, 'create' | 'find' | 'finish'>
  objects: Pick<ObjectStore, 'concatenate'>
  targets: Pick<UploadTargets, 'granted' | 'confirm'>
  discard: DiscardUpload
  log: Pick<Log, 'warn'>
}

/**
 * Joins finished partial uploads into one file (tus concatenation). The checksum of the whole
 * follows from those of the parts, so no byte is read again by us. The parts are used up.
 */
export async function concatenateUploads(
  dependencies: ConcatenationDependencies,
  begin: BeginOptions,
  uploadIds: readonly string[],
): Promise<Upload> {
  const { store, objects, targets, discard, log } = dependencies
  const target = targets.granted(begin.grant)
  const sources = await Promise.all(uploadIds.map((id) => findPart(dependencies, begin, id)))
  const lengthBytes = sources.reduce((sum, part) => sum + part.checkpoint.offsetBytes, 0)
  const draft = { ...draftUpload({ ...begin, lengthBytes }), kind: 'final' as const }
  const upload = await store.create(draft, { durable: true })
  try {
    await objects.concatenate(
      upload.objectKey,
      sources.map(({ objectKey, checkpoint }) => ({
        key: objectKey,
        sizeBytes: checkpoint.offsetBytes,
      })),
    )
    const crc32 = sources.reduce(
      (crc, { checkpoint }) => combineCrc32(crc, checkpoint.crc32, checkpoint.offsetBytes),
      0,
    )
    const { edition } = await targets.confirm(upload, target)
    await store.finish({ upload, token: 0 }, { edition, sizeBytes: lengthBytes, crc32 })
  } catch (error) {
    await discard(upload.id).catch(() => undefined)
    throw error
  }
  for (const id of new Set(uploadIds)) {
    // The file is made; a part that stays goes when it expires.
    await discard(id).catch((error: unknown) => {
      log.warn({ err: error }, 'could not remove a concatenated partial upload')
    })
  }
  return upload
}

async function findPart(
  { store }: Pick<ConcatenationDependencies, 'store'>,
  { grant }: BeginOptions,
  id: string,
): Promise<Upload> {
  const part = await store.find(id)
  const isOurs =
    part?.kind === 'partial' &&
    (part.userId === null ? part.shareId === grant.shareId : part.userId === grant.userId)
  // The upload of somebody else and an absent one look alike.
  if (!part || !isOurs) throw new AppError('upload_not_found')
  if (!isComplete(part)) throw new AppError('upload_parts_unfinished')
  return part
}
