import type { Sharp } from 'sharp'
import { MOST_PIXELS, THUMBNAIL_EDGE } from './thumbnail.ts'

export type OpenPicture = typeof import('sharp').default

/** Those of libvips that read from memory what `thumbnailExtensions` name, and no others. */
const loaders = ['Heif', 'Jpeg', 'Nsgif', 'Png', 'Tiff', 'Webp'].map(
  (format) => `VipsForeignLoad${format}Buffer`,
)
/** Good enough at the size of a tile; a photograph is about 25 kB. */
const QUALITY = 76

/** Loads libvips and keeps it to one thread, no cache, and the formats that are wanted. */
export async function openDecoder(): Promise<OpenPicture> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: loaders })
  return sharp
}

/** Fails, with libvips' own words, where the bytes are no picture, are cut off or are too many. */
export async function drawThumbnail(sharp: OpenPicture, bytes: Uint8Array) {
  const { data, info } = await shrink(
    sharp(bytes, {
      limitInputPixels: MOST_PIXELS,
      // Cameras write JPEGs that libjpeg warns about; one that ends early is another matter.
      failOn: 'truncated',
      sequentialRead: true,
    }),
  ).toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.height }
}

/** sharp leaves out every kind of metadata unless told otherwise, and converts to sRGB. */
function shrink(picture: Sharp): Sharp {
  return picture
    .autoOrient()
    .resize({
      width: THUMBNAIL_EDGE,
      height: THUMBNAIL_EDGE,
      fit: 'inside',
      withoutEnlargement: true,
    })
    .webp({ quality: QUALITY, effort: 3 })
}
