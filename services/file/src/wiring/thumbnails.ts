import { createThumbnailer } from '@floe/pictures'
import type { FilePlatform } from '../platform.ts'
import { createThumbnailMaking } from '../thumbnails/domain/thumbnail-making.ts'
import { makeThumbnails } from '../thumbnails/jobs/make-thumbnails.ts'
import type { Stores } from './stores.ts'

/** The making of thumbnails. */
export function wireThumbnails({ log }: FilePlatform, { thumbnails, objects }: Stores) {
  const thumbnailer = createThumbnailer({ log })
  const making = createThumbnailMaking({ thumbnails, objects, thumbnailer, log })
  return { thumbnailer, consumers: [makeThumbnails({ thumbnails, making })] }
}
