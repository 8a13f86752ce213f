import { createHash } from 'node:crypto'
import { crc32 as updateCrc32 } from 'node:zlib'
import { AppError, isAppError } from '@floe/errors'
import { currentRequestId } from '@floe/log'
import { newObjectKeys, type ObjectStore } from '@floe/storage'
import { discardStaged, type DiscardUpload } from './discard-upload.ts'
import { createJoinedRuns } from './joined-runs.ts'
import type { UploadLog } from './upload-log.ts'
import type { FinishedBytes, NewUpload, UploadStore } from './upload-ports.ts'
import type { UploadTarget, UploadTargets } from './upload-targets.ts'
import type { Upload } from './upload.ts'

export interface SmallFilesDependencies {
  store: Pick<UploadStore, 'createTogether' | 'finishTogether'>
  objects: Pick<ObjectStore, 'putSmall' | 'remove'>
  targets: Pick<UploadTargets, 'confirm'>
  discard: DiscardUpload
  log: UploadLog
}

/** A file of a share that has come whole with the request that creates it. */
export interface SmallFile {
  draft: NewUpload
  target: UploadTarget
  body: readonly Buffer[]
}

export interface SmallFiles {
  /**
   * Makes it a file, or leaves nothing of it. Fails like `UploadRecords.create` and
   * `UploadProgress.finish`.
   */
  store(file: SmallFile): Promise<Upload>
}

type JoinedFile = SmallFile & { requestId: string | null }

/**
 * Small files that come one by one: those that wait at the same moment share the statements and
 * commits of their rows. Each is refused or stored on its own.
 */
export function createSmallFiles(dependencies: SmallFilesDependencies): SmallFiles {
  const { log } = dependencies
  const storeJoined = createJoinedRuns((files: readonly JoinedFile[]) =>
    storeGroup(dependencies, files),
  )
  return {
    store: async (file) => {
      const { kind, shareUid, fileId, lengthBytes } = file.draft
      // Here and not in the store, where no request is at hand: a group has several.
      log.debug({ kind, shareUid, fileId, lengthBytes }, 'upload started')
      const upload = await storeJoined(groupOf(file), { ...file, requestId: currentRequestId() })
      log.info({ kind, shareUid, fileId, sizeBytes: lengthBytes }, 'upload finished')
      return upload
    },
  }
}

/** Of one share and against the same limits: what one statement counts as one. */
function groupOf({ draft: { shareUid, shareId, userId, chargedTo, limits } }: SmallFile): string {
  return JSON.stringify([shareUid, shareId, userId, chargedTo, limits])
}

type Outcome = PromiseSettledResult<Upload>

async function storeGroup(
  dependencies: SmallFilesDependencies,
  files: readonly JoinedFile[],
): Promise<Outcome[]> {
  const { store } = dependencies
  const keys = newObjectKeys(files.length)
  const drafts = files.map(({ draft }, index) => ({ ...draft, objectKey: keys[index] ?? '' }))
  try {
    // The rows come before the objects: reconciliation takes an object without a row for an orphan.
    const uploads = await store.createTogether(drafts)
    return await makeFiles(dependencies, files, uploads)
  } catch (reason) {
    if (files.length === 1 || !limitCodes.some((code) => isAppError(reason, code))) {
      return files.map(() => ({ status: 'rejected', reason }))
    }
    // Together they do not fit, and alone some of them may.
    const alone = await Promise.all(files.map((file) => storeGroup(dependencies, [file])))
    return alone.flat()
  }
}

const limitCodes = ['share_too_large', 'quota_exceeded', 'instance_quota_exceeded'] as const

/** What cannot be made a file goes with its row. */
async function makeFiles(
  dependencies: SmallFilesDependencies,
  files: readonly JoinedFile[],
  uploads: readonly Upload[],
): Promise<Outcome[]> {
  const { store, objects, targets } = dependencies
  const puts = files.map(async ({ body, target, requestId }, index) => {
    const upload = uploads[index]
    if (!upload) throw new AppError('internal', { detail: 'an upload has no row' })
    const { edition } = await targets.confirm(upload, target)
    await objects.putSmall(upload.objectKey, body)
    return { lease: { upload, token: 0 }, bytes: { ...digestBody(body), edition }, requestId }
  })
  const finished = Promise.allSettled(puts).then((settled) =>
    store.finishTogether(settled.flatMap((put) => (put.status === 'fulfilled' ? put.value : []))),
  )
  const outcomes = await Promise.allSettled(
    puts.map(async (put) => {
      const { upload } = (await put).lease
      if (!(await finished).has(upload.id)) throw new AppError('upload_gone')
      return upload
    }),
  )
  const failed = uploads.filter((_upload, index) => outcomes[index]?.status === 'rejected')
  await Promise.allSettled(failed.map((upload) => discardStaged(dependencies, upload)))
  return outcomes
}

/** All of it is at hand, so no job has to open the object again. */
function digestBody(body: readonly Buffer[]): Omit<FinishedBytes, 'edition'> {
  const sha256 = createHash('sha256')
  for (const chunk of body) sha256.update(chunk)
  return {
    sizeBytes: body.reduce((sum, chunk) => sum + chunk.length, 0),
    crc32: body.reduce((state, chunk) => updateCrc32(chunk, state), 0),
    sha256: sha256.digest(),
  }
}
