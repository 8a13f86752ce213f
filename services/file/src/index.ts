import { createOwnDataList } from '@floe/db'
import { defineService } from '@floe/runtime'
import { createFilePort } from './file-port.ts'
import type { FilePlatform } from './platform.ts'
import { storedData } from './stored-data.ts'
import { wireAntivirus } from './wiring/antivirus.ts'
import { wireArchive } from './wiring/archive.ts'
import { wireDownloads } from './wiring/downloads.ts'
import { wireIntegrity } from './wiring/integrity.ts'
import { openStores } from './wiring/stores.ts'
import { wireThumbnails } from './wiring/thumbnails.ts'
import { wireUploads } from './wiring/uploads.ts'

export {
  type CheckReport,
  type Difference,
  type IntegrityCheck,
  type IntegrityRepair,
  listObjects,
  openIntegrityCheck,
  openIntegrityRepair,
  republishFileEvents,
} from './integrity/index.ts'
export { exportFiles, type FileToExport } from './export/export-files.ts'
export {
  type FileImport,
  type ImportedFile,
  openFileImport,
  type StoredImport,
} from './import/import-files.ts'
export { countLeftByImports } from './import/import-rows.ts'
export type { RegisteredObject } from './integrity/domain/object-register.ts'
export { migrations } from './migrations.ts'
export { storedData } from './stored-data.ts'

export type { FilePlatform } from './platform.ts'

/** Bytes in and out: uploads, objects, downloads, archives. */
export const fileService = defineService<'file', 'auth' | 'share' | 'admin', FilePlatform>({
  name: 'file',
  paths: [
    '/api/shares/:shareId/files',
    '/api/uploads',
    '/up',
    '/api/users/me/storage',
    '/api/users/storage',
  ],
  needs: ['auth', 'share', 'admin'],
  create: async ({ platform, ports }) => {
    const stores = await openStores(platform)
    const uploads = await wireUploads(platform, stores, ports)
    const antivirus = wireAntivirus(platform, stores, ports)
    const { gate } = antivirus
    const archive = wireArchive(platform, stores, { ...ports, gate })
    const thumbnails = wireThumbnails(platform, stores)
    const downloads = wireDownloads(platform, stores, { ...ports, plans: archive.plans, gate })
    const integrity = wireIntegrity(platform, stores, {
      ...ports,
      thumbnailer: thumbnails.thumbnailer,
    })
    return {
      routes: [...uploads.routes, ...downloads.routes],
      consumers: [
        ...uploads.consumers,
        ...archive.consumers,
        ...thumbnails.consumers,
        ...antivirus.consumers,
        ...integrity.consumers,
      ],
      port: {
        ...createFilePort({
          ...stores,
          discard: uploads.discard,
          plans: archive.plans,
          gate,
          report: antivirus.report,
          counter: downloads.counter,
        }),
        listOwnData: createOwnDataList(platform.database, storedData),
      },
      stop: async () => {
        await Promise.all([uploads.stop(), downloads.stop(), thumbnails.thumbnailer.stop()])
      },
    }
  },
})
