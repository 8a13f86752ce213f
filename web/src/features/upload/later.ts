import { lazy } from 'react'

/**
 * What uploading takes once there is something to upload: dialogs, the transfer, its progress. It
 * is most of the code, and the page where files are chosen shows without it. It comes in one piece,
 * so that whoever could create a share can also fill it.
 */
export const loadLater = () => import('./later-parts.ts')

export const ActiveUpload = lazy(async () => ({ default: (await loadLater()).ActiveUpload }))

export const CreateShareDialog = lazy(async () => ({
  default: (await loadLater()).CreateShareDialog,
}))

export const SendDialog = lazy(async () => ({ default: (await loadLater()).SendDialog }))

export const TextFileDialog = lazy(async () => ({ default: (await loadLater()).TextFileDialog }))

export const UnfinishedUploads = lazy(async () => ({
  default: (await loadLater()).UnfinishedUploads,
}))
