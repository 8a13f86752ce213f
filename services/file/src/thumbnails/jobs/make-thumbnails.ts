import { jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import type { FileServiceParts } from '../../parts.ts'

/** Puts the pictures of a share in line, and then works on whatever stands there. */
export function makeThumbnails({ thumbnails, thumbnailMaking }: FileServiceParts): JobConsumer {
  return consume(jobs.makeThumbnails, async ({ shareUid }, { signal }) => {
    await thumbnails.want(shareUid)
    await thumbnailMaking.run({ signal })
  })
}
