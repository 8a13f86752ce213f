export { openPingvin } from './pingvin/open-pingvin.ts'
export * from './source.ts'
