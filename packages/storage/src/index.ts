export {
  isObjectKey,
  newObjectKey,
  type ByteSource,
  type ObjectKey,
  type ObjectReader,
  type ObjectStore,
  type ObjectWriter,
  type ReadSpan,
} from './object-store.ts'
