export {
  createByteBudget,
  defaultBudgetBytes,
  type BudgetParticipant,
  type ByteBudget,
} from './byte-budget.ts'
export { combineCrc32 } from './crc32.ts'
export { createDiskStore, type DiskStoreOptions } from './disk-store.ts'
export {
  isObjectKey,
  newObjectKey,
  type AddressHeaders,
  type ByteSource,
  type ObjectKey,
  type ObjectReader,
  type ObjectStore,
  type ObjectWriter,
  type ReadSpan,
} from './object-store.ts'
export { shareRuns } from './share-runs.ts'
