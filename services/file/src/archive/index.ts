export { archivePaths } from './archive-paths.ts'
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
