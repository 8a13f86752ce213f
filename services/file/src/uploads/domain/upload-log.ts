import type { UploadStore } from './upload-ports.ts'

export interface UploadLog {
  debug(fields: object, text: string): void
  info(fields: object, text: string): void
}

/**
 * Tells of every upload when it begins and when it is whole. Its own id opens it, so it goes by the
 * id of the file it becomes.
 */
export function logUploads(store: UploadStore, log: UploadLog): UploadStore {
  return {
    ...store,
    create: async (draft, options) => {
      const upload = await store.create(draft, options)
      const { kind, shareUid, fileId, lengthBytes } = upload
      log.debug({ kind, shareUid, fileId, lengthBytes }, 'upload started')
      return upload
    },
    finish: async (lease, bytes) => {
      await store.finish(lease, bytes)
      const { kind, shareUid, fileId } = lease.upload
      log.info({ kind, shareUid, fileId, sizeBytes: bytes.sizeBytes }, 'upload finished')
    },
  }
}
