import type { ThumbnailMaking } from '../domain/thumbnail-making.ts'
import type { ThumbnailWork } from '../domain/thumbnail-ports.ts'
import { jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'

/** Puts the pictures of a share in the queue, and then works on what the queue holds. */
export function makeThumbnails({
  thumbnails,
  making,
}: {
  thumbnails: Pick<ThumbnailWork, 'want'>
  making: ThumbnailMaking
}): JobConsumer {
  return consume(jobs.makeThumbnails, async ({ shareUid }, { signal }) => {
    await thumbnails.want(shareUid)
    await making.run({ signal })
  })
}
