import { previewKindOf, type ThumbnailSize } from '@floe/contracts'

/** From so many files on, and from such a part of them, a folder is looked at for its pictures. */
const LEAST_FILES = 4
const LEAST_PART = 0.6

interface Shown {
  name: string
  thumbnail?: ThumbnailSize | null | undefined
}

export function isPicture({ name, thumbnail }: Shown): boolean {
  return Boolean(thumbnail) || previewKindOf(name) === 'image'
}

/** Whether there is anything to see in a gallery. */
export function offersGallery(files: readonly Shown[]): boolean {
  return files.some(({ thumbnail }) => thumbnail)
}

/** Whether a gallery is what people expect who have not said what they want. */
export function prefersGallery(files: readonly Shown[]): boolean {
  const pictures = files.filter(isPicture).length
  return (
    offersGallery(files) && files.length >= LEAST_FILES && pictures >= files.length * LEAST_PART
  )
}
