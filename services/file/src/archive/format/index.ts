export { archivePaths } from './archive-paths.ts'
export { checksumLine } from './checksum-line.ts'
export {
  planArchive,
  type ArchiveEntry,
  type ArchiveLayout,
  type ArchivePlan,
} from './archive-plan.ts'
export {
  createArchiveSource,
  type ArchiveSourceOptions,
  type OpenObject,
} from './archive-source.ts'
export { deflateSmall, SMALL_FILE_BYTES } from './deflate-small.ts'
export { deflateSpan, type DeflateProgress } from './deflate-span.ts'
export { createDeflater, isWorthIt, type Deflater } from './deflater.ts'
export { looksCompressible } from './sample-file.ts'
