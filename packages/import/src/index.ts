export { deriveUuid, keepUuid } from './derive-uuid.ts'
export { openPingvin } from './pingvin/open-pingvin.ts'
export * from './source.ts'
