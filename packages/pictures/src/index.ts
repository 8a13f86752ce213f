export { createIconMaker } from './icon-maker.ts'
export { type Icon, type IconMaker, type IconOutcome, MOST_LOGO_EDGE } from './icons.ts'
export type { PngFault } from './png-fault.ts'
export { createThumbnailer } from './thumbnailer.ts'
export {
  isPictureName,
  MOST_PICTURE_BYTES,
  type PictureSource,
  THUMBNAIL_EDGE,
  type Thumbnail,
  type Thumbnailer,
  type ThumbnailOutcome,
  thumbnailExtensions,
} from './thumbnail.ts'
