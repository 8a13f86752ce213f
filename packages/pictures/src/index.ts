export { createThumbnailer, type ThumbnailerOptions } from './thumbnailer.ts'
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
