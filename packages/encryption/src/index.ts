export { FloeError } from '@floe/aead'
export {
  createBlocks,
  type EncryptedBlocks,
  encryptedBytes,
  segmentBytesWithin,
} from './encrypted-blocks.ts'
export { beginFile, createFileId, openFile, resumeFile } from './encrypted-file.ts'
export { keyOfLink, type LinkedKey, linkToReceiver, linkWithKey, receiverOfLink } from './link.ts'
export {
  decryptManifest,
  encryptManifest,
  type Manifest,
  MANIFEST_NAME,
  type ManifestFile,
  MOST_MANIFEST_BYTES,
} from './manifest.ts'
export {
  EncryptedShareError,
  type OpenedFile,
  openEncryptedShare,
  type Range,
  type ReadStored,
  type StoredFile,
} from './opened-share.ts'
export { lockWithPassword, type PasswordLock } from './password.ts'
export {
  createReceiverSecret,
  lockSecret,
  openShareKey,
  publicKeyOf,
  type ReceiverSecret,
  sealShareKey,
  unlockSecret,
} from './receiver.ts'
export { createRecoveryCode, readRecoveryCode } from './recovery-code.ts'
export {
  type ContentKey,
  createContentKey,
  createShareKey,
  encodeKey,
  parseKey,
  type ShareKey,
} from './share-key.ts'
