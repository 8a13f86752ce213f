export { type ArchivedPart, partInFolder, partOfChosen } from './archive-parts.ts'
export { archivePaths } from './archive-paths.ts'
export {
  ARCHIVE_FORMAT,
  type ArchiveEntry,
  type ArchiveLayout,
  type ArchivePlan,
  type ArchiveSegment,
  planArchive,
} from './archive-plan.ts'
export {
  type ArchiveSourceOptions,
  createArchiveSource,
  type OpenObject,
} from './archive-source.ts'
export type { ByteReader, ByteSpan } from './byte-reader.ts'
export { readFully } from './read-fully.ts'
