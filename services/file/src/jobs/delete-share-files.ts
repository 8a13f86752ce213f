import { jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import type { FileServiceParts } from '../domain/parts.ts'

const BATCH = 500

/** Objects first: should the process die in between, the rows still say what is left to do. */
export function deleteShareFiles(parts: FileServiceParts): JobConsumer {
  return consume(jobs.deleteShareFiles, ({ shareUid }) => removeShare(parts, shareUid))
}

type ShareContents = Pick<FileServiceParts, 'files' | 'segments' | 'thumbnails' | 'objects'>

export async function removeShare(
  { files, segments, thumbnails, objects }: ShareContents,
  shareUid: string,
): Promise<void> {
  const owners = [segments, thumbnails, files]
  const keys = (await Promise.all(owners.map((owner) => owner.objectKeysOf(shareUid)))).flat()
  for (let start = 0; start < keys.length; start += BATCH) {
    await objects.remove(keys.slice(start, start + BATCH))
  }
  await files.removeShare(shareUid)
}
