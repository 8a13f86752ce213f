import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { PublicSettings, UserView } from '@floe/contracts'
import type { ManifestFile } from '@floe/encryption'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { giveUpUpload } from '../../shared/api/give-up-upload.ts'
import type { HttpClient } from '../../shared/api/http-client.ts'
import { useHttp } from '../../shared/api/http-context.ts'
import { notifyError, notifySuccess } from '../../shared/notify.ts'
import { useSession } from '../../shared/session/session.ts'
import { queryKeys } from '../../shared/query-keys.ts'
import { deleteUpload } from '../../shared/upload/delete-upload.ts'
import { type FileEntry, totalSize } from '../../shared/upload/file-entry.ts'
import { createFindByContent } from '../../shared/upload/find-by-content.ts'
import { matchFiles, type Unfinished } from '../../shared/upload/match-files.ts'
import { type UploadDesk, useUploadDesk } from '../../shared/upload/upload-desk.ts'
import type { StoredFile, UploadRegistry } from '../../shared/upload/upload-registry.ts'
import { useUploadRegistry } from '../../shared/upload/use-registry.ts'
import { createDraftActions, findContinuation } from './draft-actions.ts'
import { loadLazy } from './lazy.ts'

const CONCURRENT_DELETES = 5

export interface UploadDependencies {
  t: TFunction
  http: HttpClient
  user: UserView | null
  settings: PublicSettings
  registry: UploadRegistry
  desk: UploadDesk
  queryClient: QueryClient
}

export type UploadActions = ReturnType<typeof createUploadActions>

/** What can be done with uploads as a whole: begin, continue, discard. */
export function useUploadActions(): UploadActions {
  const { t } = useTranslation()
  const http = useHttp()
  const { user, settings } = useSession()
  const registry = useUploadRegistry()
  const desk = useUploadDesk()
  const queryClient = useQueryClient()
  return useMemo(
    () => createUploadActions({ t, http, user, settings, registry, desk, queryClient }),
    [t, http, user, settings, registry, desk, queryClient],
  )
}

function createUploadActions(dependencies: UploadDependencies) {
  const { http, registry, desk, queryClient } = dependencies
  const refresh = () => queryClient.invalidateQueries({ queryKey: queryKeys.unfinishedUploads })

  async function discard(upload: Unfinished) {
    await deleteUnsent(http, upload)
    await registry.remove(upload.shareId)
    notifySuccess(dependencies.t('upload.unfinished.discarded'))
    await refresh()
  }

  /** Puts a finished upload away. */
  function clear() {
    desk.job?.close()
    // What was read while the upload ran still names it: the page must not offer it for a moment.
    queryClient.removeQueries({ queryKey: queryKeys.unfinishedUploads })
    desk.put(null)
    void queryClient.invalidateQueries({ queryKey: queryKeys.ownStorage })
    void queryClient.invalidateQueries({ queryKey: queryKeys.ownShares })
  }

  /** Ends an upload under way and deletes what it left on the server. */
  async function abandon(shareId: string) {
    // Its parts end on the server one by one: until they have, it must not be offered again.
    queryClient.setQueryData<readonly string[]>(queryKeys.abandonedUploads, (ids = []) => [
      ...ids,
      shareId,
    ])
    desk.job?.end()
    desk.put(null)
    await giveUpUpload(http, shareId).catch(() => undefined)
    await registry.remove(shareId)
    await refresh()
  }

  const resume = (upload: Unfinished, chosen: readonly FileEntry[]) =>
    resumeUpload(dependencies, upload, chosen)
  return { ...createDraftActions(dependencies), resume, discard, clear, abandon }
}

/** Continues an upload with the files of it that were chosen again, unless one is missing. */
async function resumeUpload(
  { t, http, settings, registry, desk }: UploadDependencies,
  upload: Unfinished,
  chosen: readonly FileEntry[],
): Promise<void> {
  // What the server has of an encrypted file says nothing of its content.
  const findByContent = upload.keys ? async () => null : createFindByContent(http)
  const found = await matchFiles(upload, chosen, findByContent).catch(() => null)
  if (found === null) {
    notifyError(t('errorPage.default'))
    return
  }
  const { matched, missing, isRenamed } = found
  if (missing.length > 0) {
    notifyError(
      matched.length === 0
        ? t('upload.unfinished.noMatch')
        : t('upload.unfinished.missing', { count: missing.length }),
    )
    return
  }
  const { shareId, name } = upload
  const ready = await Promise.all([loadLazy(), findContinuation(http, upload)]).catch(() => null)
  if (ready === null) {
    notifyError(t('errorPage.default'))
    return
  }
  if (isRenamed) notifySuccess(t('upload.unfinished.renamed'))
  const [{ startJob }, continuation] = ready
  const done = upload.files.filter(({ isDone }) => isDone)
  const { keys } = upload
  const encrypted = keys && { keys, sentBefore: done.flatMap(toManifestFile) }
  const alreadySent = { count: done.length, bytes: totalSize(done) }
  const files = { shareId, name, files: matched, alreadySent, encrypted }
  desk.put(startJob({ http, settings, registry, ...files, ...continuation }))
}

/** As the manifest names a file that was sent before. */
function toManifestFile({ name, relativePath, sizeBytes, sealed }: StoredFile): ManifestFile[] {
  if (!sealed?.digests) return []
  const { id, modified, digests } = sealed
  return [{ ...{ id, modified }, name: relativePath ?? name, size: sizeBytes, ...digests }]
}

/** Deletes from the server what a given-up upload had begun to send there. */
async function deleteUnsent(http: HttpClient, { shareId, files }: Unfinished): Promise<void> {
  const urls = files.flatMap(({ url, isDone }) => (url !== null && !isDone ? [url] : []))
  const deleteNext = async () => {
    for (let url = urls.pop(); url !== undefined; url = urls.pop()) {
      await deleteUpload(http, url).catch(() => undefined)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_DELETES }, deleteNext))
  // The share may be gone already, and an anonymous one cannot be deleted: it ends by itself.
  await giveUpUpload(http, shareId).catch(() => undefined)
}
