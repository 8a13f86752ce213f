import type { ThumbnailStore } from '../domain/thumbnail-ports.ts'
import { createThumbnailListing } from './thumbnail-listing-rows.ts'
import { createThumbnailWork, type ThumbnailStoreOptions } from './thumbnail-work-rows.ts'

export function createThumbnailStore(options: ThumbnailStoreOptions): ThumbnailStore {
  return { ...createThumbnailListing(options.database), ...createThumbnailWork(options) }
}
