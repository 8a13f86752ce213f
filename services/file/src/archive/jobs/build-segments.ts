import type { FileListing } from '../../files/domain/file-ports.ts'
import type { SegmentBuilds } from '../domain/segment-builds.ts'
import type { SegmentStore } from '../domain/segment-ports.ts'
import { jobs, type SharePort } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'

export interface BuildDependencies {
  files: Pick<FileListing, 'list'>
  segments: Pick<SegmentStore, 'retire' | 'want'>
  builds: SegmentBuilds
  share: Pick<SharePort, 'publishedEditions'>
}

/** Puts the files of the published edition in the queue, and then works on what the queue holds. */
export function buildSegments({ files, segments, builds, share }: BuildDependencies): JobConsumer {
  return consume(jobs.buildSegments, async ({ shareUid }, { signal }) => {
    const published = await share.publishedEditions({ shareUids: [shareUid] })
    for (const { archiveLevel: level, ...edition } of published) {
      if (level === null || level === 0) continue
      const listed = await files.list(edition)
      // Nothing to deflate in an empty one.
      const wanted = listed.filter(({ sizeBytes }) => sizeBytes > 0)
      await segments.retire([{ shareUid, level }])
      await segments.want(shareUid, { level, files: wanted })
    }
    await builds.run({ shareUid, signal })
  })
}
