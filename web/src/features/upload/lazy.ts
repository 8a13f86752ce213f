import { lazyPart } from '../../shared/lazy-part.ts'

/**
 * Loads what uploading takes once there is something to upload: dialogs, the transfer, its
 * progress. This is most of the code, and the page where files are chosen shows without it. It is
 * one chunk: a visitor who could create a share must also be able to fill it.
 */
export const loadLazy = () => import('./lazy-chunk.ts')

export const EditTextDialog = lazyPart(loadLazy, (chunk) => chunk.EditTextDialog)

export const RunningUpload = lazyPart(loadLazy, (chunk) => chunk.RunningUpload)

export const UnfinishedUploads = lazyPart(loadLazy, (chunk) => chunk.UnfinishedUploads)

export const VerifyNotice = lazyPart(loadLazy, (chunk) => chunk.VerifyNotice)

export const WriteTextDialog = lazyPart(loadLazy, (chunk) => chunk.WriteTextDialog)
