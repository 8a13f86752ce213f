import { lazy } from 'react'

/**
 * Loads what uploading takes once there is something to upload: dialogs, the transfer, its
 * progress. This is most of the code, and the page where files are chosen shows without it. It is
 * one chunk: a visitor who could create a share must also be able to fill it.
 */
export const loadLazy = () => import('./lazy-chunk.ts')

export const EditTextDialog = lazy(async () => ({ default: (await loadLazy()).EditTextDialog }))

export const RunningUpload = lazy(async () => ({ default: (await loadLazy()).RunningUpload }))

export const UnfinishedUploads = lazy(async () => ({
  default: (await loadLazy()).UnfinishedUploads,
}))

export const VerifyNotice = lazy(async () => ({ default: (await loadLazy()).VerifyNotice }))

export const WriteTextDialog = lazy(async () => ({ default: (await loadLazy()).WriteTextDialog }))
