export { deriveUuid, keepUuid } from './derive-uuid.ts'
export {
  EXPORT_FILE,
  EXPORT_FORMAT,
  type Export,
  type ExportedShare,
} from './floe/export-format.ts'
export { openExport } from './floe/open-export.ts'
export { NO_PASSWORD } from './passwords.ts'
export { openGokapi } from './gokapi/open-gokapi.ts'
export { openPalmr } from './palmr/open-palmr.ts'
export { openPingvin } from './pingvin/open-pingvin.ts'
export { translateSettings } from './pingvin/read-settings.ts'
export * from './source.ts'
