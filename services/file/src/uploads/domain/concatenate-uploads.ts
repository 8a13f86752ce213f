import { AppError } from '@floe/errors'
import { combineCrc32 } from '@floe/storage'
import { type BeginOptions, draftUpload } from './begin-upload.ts'
import type { FileServiceParts } from '../../parts.ts'
import { isComplete, type Upload } from './upload.ts'

/**
 * Joins finished partial uploads into one file (tus concatenation). The checksum of the whole
 * follows from those of the parts, so no byte is read again by us. The parts are used up.
 */
export async function concatenateUploads(
  parts: FileServiceParts,
  begin: BeginOptions,
  uploadIds: readonly string[],
): Promise<Upload> {
  const target = parts.targets.granted(begin.grant)
  const sources = await Promise.all(uploadIds.map((id) => findPart(parts, begin, id)))
  const lengthBytes = sources.reduce((sum, part) => sum + part.checkpoint.offsetBytes, 0)
  const draft = { ...draftUpload({ ...begin, lengthBytes }), kind: 'final' as const }
  const upload = await parts.store.create(draft, { durable: true })
  try {
    await parts.objects.concatenate(
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
    const { edition } = await parts.targets.confirm(upload, target)
    await parts.store.finish({ upload, token: 0 }, { edition, sizeBytes: lengthBytes, crc32 })
  } catch (error) {
    await parts.discard(upload.id).catch(() => undefined)
    throw error
  }
  for (const id of new Set(uploadIds)) {
    // The file is made; a part that stays goes when it expires.
    await parts.discard(id).catch((error: unknown) => {
      parts.log.warn({ err: error }, 'could not remove a concatenated partial upload')
    })
  }
  return upload
}

async function findPart(
  { store }: FileServiceParts,
  { grant }: BeginOptions,
  id: string,
): Promise<Upload> {
  const part = await store.find(id)
  const isOurs =
    part?.kind === 'partial' &&
    (part.userId === null ? part.shareId === grant.shareId : part.userId === grant.userId)
  // A stranger's upload and an absent one look alike.
  if (!part || !isOurs) throw new AppError('upload_not_found')
  if (!isComplete(part)) throw new AppError('upload_parts_unfinished')
  return part
}
