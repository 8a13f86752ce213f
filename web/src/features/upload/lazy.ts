import { lazy } from 'react'

/**
 * Loads what uploading takes once there is something to upload: dialogs, the transfer, its
 * progress. This is most of the code, and the page where files are chosen shows without it. It is
 * one chunk: a visitor who could create a share must also be able to fill it.
 */
export const loadLazy = () => import('./lazy-chunk.ts')

export const ActiveUpload = lazy(async () => ({ default: (await loadLazy()).ActiveUpload }))

export const CreateShareDialog = lazy(async () => ({
  default: (await loadLazy()).CreateShareDialog,
}))

export const SendDialog = lazy(async () => ({ default: (await loadLazy()).SendDialog }))

export const TextFileDialog = lazy(async () => ({ default: (await loadLazy()).TextFileDialog }))

export const UnfinishedUploads = lazy(async () => ({
  default: (await loadLazy()).UnfinishedUploads,
}))
