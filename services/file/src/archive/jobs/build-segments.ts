import { jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import type { FileServiceParts } from '../../parts.ts'

/** Puts the files of the published edition in line, and then works on whatever stands there. */
export function buildSegments({
  files,
  segments,
  segmentBuilds,
  ports,
}: FileServiceParts): JobConsumer {
  return consume(jobs.buildSegments, async ({ shareUid }, { signal }) => {
    const published = await ports.share.publishedEditions({ shareUids: [shareUid] })
    for (const { archiveLevel: level, ...share } of published) {
      if (level === null || level === 0) continue
      const listed = await files.list(share)
      // Nothing to deflate in an empty one.
      const wanted = listed.filter(({ sizeBytes }) => sizeBytes > 0)
      await segments.retire([{ shareUid, level }])
      await segments.want(shareUid, { level, files: wanted })
    }
    await segmentBuilds.run({ shareUid, signal })
  })
}
