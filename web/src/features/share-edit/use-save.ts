import type { OwnShare, UpdateShareInput } from '@floe/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../shared/api/error-message.ts'
import { useHttp } from '../../shared/api/http-context.ts'
import { notifyError, notifySuccess } from '../../shared/notify.ts'
import { useSession } from '../../shared/session/session.ts'
import { completeShare } from '../../shared/upload/complete-share.ts'
import type { FileEntry } from '../../shared/upload/file-entry.ts'
import { rememberUpload, startJob } from '../../shared/upload/start-job.ts'
import { toQueuedFile } from '../../shared/upload/upload-item.ts'
import { useUploadDesk } from '../../shared/upload/upload-desk.ts'
import { useUploadRegistry } from '../../shared/upload/use-registry.ts'
import { deleteFile } from './api/delete-file.ts'
import { reopenShare } from './api/reopen-share.ts'
import { updateShare } from '../../shared/api/update-share.ts'

interface Changes {
  update: UpdateShareInput | null
  added: readonly FileEntry[]
  removedIds: readonly string[]
  /** New contents of shared files, by their ids. */
  edited: ReadonlyMap<string, FileEntry>
}

/** Saves an edited share: settings, then reopen, delete, upload, complete. */
export function useSave(share: OwnShare, onSaved: () => void) {
  const { t } = useTranslation()
  const http = useHttp()
  const { settings: ofInstance } = useSession()
  const desk = useUploadDesk()
  const registry = useUploadRegistry()
  const queryClient = useQueryClient()
  const errorMessage = useErrorMessage()

  async function finish() {
    notifySuccess(t('edit.saved'))
    await queryClient.invalidateQueries({ queryKey: ['shares'] })
    onSaved()
  }

  return useMutation({
    mutationFn: async ({ update, edited, ...changes }: Changes) => {
      const added = [...changes.added, ...edited.values()]
      const removedIds = [...changes.removedIds, ...edited.keys()]
      const hasFileChanges = added.length > 0 || removedIds.length > 0
      const isPublished = share.state === 'completed' || share.state === 'uploading'
      // An expired one takes settings alone, and its unpublished changes wait.
      if (!hasFileChanges && (isPublished || share.keptUntil)) {
        if (update) await updateShare(http, share.id, update)
        return finish()
      }
      // A published share tells new recipients at once, so they are added after its new files. What
      // the server may refuse comes before the share is opened.
      const { recipients, ...settings } = update ?? {}
      if (Object.keys(settings).length > 0) await updateShare(http, share.id, settings)
      await reopenShare(http, share.id)
      if (recipients) await updateShare(http, share.id, { recipients })
      // Visitors see none of this yet. Removed files go first, to free their bytes, and because an
      // upload that is cut off here and finished elsewhere must not bring them back.
      for (const fileId of removedIds) await deleteFile(http, share.id, fileId)
      if (added.length === 0) {
        await completeShare(http, share.id)
        return finish()
      }
      const files = added.map(toQueuedFile)
      await rememberUpload({ registry, shareId: share.id, name: share.name, files })
      desk.put(
        startJob({
          http,
          settings: ofInstance,
          registry,
          shareId: share.id,
          name: share.name,
          files,
          finish: () => completeShare(http, share.id),
        }),
      )
      return undefined
    },
    onError: (error) => notifyError(errorMessage(error)),
  })
}
