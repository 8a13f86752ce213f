export { combineCrc32 } from './crc32.ts'
export { createDiskStore, type DiskStoreOptions } from './disk-store.ts'
export { eachAtOnce } from './each-at-once.ts'
export {
  beginning,
  isObjectKey,
  newObjectKey,
  newObjectKeys,
  type HandOff,
  type HandOffHeaders,
  type NotedEnd,
  type ObjectKey,
  type ObjectReader,
  type ObjectStore,
  type ObjectWriter,
  type Position,
  type ReadSpan,
  type WholeObject,
} from './object-store.ts'
export { shareRuns } from './share-runs.ts'
