export { FloeError, type FloeFault } from './floe-error.ts'
export {
  type FloeDecryption,
  type FloeEncryption,
  type FloeKey,
  type FloeOptions,
  importFloeKey,
  resumeEncryption,
  startDecryption,
  startEncryption,
} from './floe.ts'
export {
  DEFAULT_SEGMENT_BYTES,
  FloeLayout,
  HEADER_BYTES,
  MAX_SEGMENT_BYTES,
  MIN_SEGMENT_BYTES,
  readSegmentBytes,
  SEGMENT_OVERHEAD_BYTES,
} from './layout.ts'
export { decryptStream, encryptStream } from './streams.ts'
