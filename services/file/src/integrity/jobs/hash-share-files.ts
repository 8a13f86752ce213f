import type { Log } from '@floe/log'
import type { ObjectStore } from '@floe/storage'
import type { ShareRemovalStore } from '../../removals/domain/share-removals.ts'
import { jobs } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { consume, type JobConsumer } from '@floe/runtime'
import { digestObject } from '../domain/digest-object.ts'
import type { FileDigests, FileListing, StoredFile } from '../../files/domain/file-ports.ts'

const BATCH = 256

export interface HashingDependencies {
  files: FileDigests & Pick<FileListing, 'stateOf'>
  objects: Pick<ObjectStore, 'openReader'>
  removals: Pick<ShareRemovalStore, 'underWay'>
  log: Pick<Log, 'error'>
}

/**
 * SHA-256 of what is really stored, read back and compared with the CRC-32 taken while the bytes
 * came in. A file that disagrees keeps no digest and fails the job, visibly, after the others are
 * done.
 */
export function hashShareFiles({
  files,
  objects,
  removals,
  log,
}: HashingDependencies): JobConsumer {
  /** The objects of a share that is being removed go before its rows. */
  const isBeingRemoved = async (shareUid: string) =>
    (await removals.underWay([shareUid], new Date(0))).length > 0

  return consume(jobs.hashShareFiles, async ({ shareUid }, { signal }) => {
    const damaged = new Set<string>()
    for (;;) {
      const batch = await files.listUnhashed(shareUid, BATCH + damaged.size)
      const todo = batch.filter(({ id }) => !damaged.has(id))
      if (todo.length === 0) break
      const digests: { fileId: string; sha256: Buffer }[] = []
      for (const file of todo) {
        signal.throwIfAborted()
        const sha256 = await digestFile(objects, file, signal)
        if (sha256) digests.push({ fileId: file.id, sha256 })
        else if (await files.stateOf(shareUid, file.id)) damaged.add(file.id)
      }
      await files.saveDigests(shareUid, digests)
    }
    if (damaged.size > 0 && !(await isBeingRemoved(shareUid))) {
      log.error(
        { shareUid, fileIds: [...damaged] },
        'stored files are corrupted: their bytes differ from those received',
      )
      throw new AppError('internal', { detail: `${damaged.size} files differ from their CRC-32` })
    }
  })
}

/** Null when the bytes are missing or are not those that came in. */
async function digestFile(
  objects: HashingDependencies['objects'],
  { objectKey, sizeBytes, crc32 }: Omit<StoredFile, 'scan'>,
  signal: AbortSignal,
): Promise<Buffer | null> {
  const found = await digestObject(objects, objectKey, { signal })
  return found?.sizeBytes === sizeBytes && found.crc32 === crc32 ? found.sha256 : null
}
