import { jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import type { FileServiceParts } from '../domain/parts.ts'

const BATCH = 500

/** Objects first: should the process die in between, the rows still say what is left to do. */
export function deleteShareFiles(parts: FileServiceParts): JobConsumer {
  return consume(jobs.deleteShareFiles, ({ shareUid }) => removeShare(parts, shareUid))
}

export async function removeShare(
  { files, segments, objects }: Pick<FileServiceParts, 'files' | 'segments' | 'objects'>,
  shareUid: string,
): Promise<void> {
  const keys = [...(await segments.objectKeysOf(shareUid)), ...(await files.objectKeysOf(shareUid))]
  for (let start = 0; start < keys.length; start += BATCH) {
    await objects.remove(keys.slice(start, start + BATCH))
  }
  await files.removeShare(shareUid)
}
