import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../shared/api/error-message.ts'
import { discardEdit } from '../../shared/api/give-up-upload.ts'
import { useHttp } from '../../shared/api/http-context.ts'
import { notifyError, notifySuccess } from '../../shared/notify.ts'
import { useUploadDesk } from '../../shared/upload/upload-desk.ts'
import { useUploadRegistry } from '../../shared/upload/use-registry.ts'

/** Goes back to the published files, and forgets the upload that was to change them. */
export function useDiscardEdit(shareId: string, onDiscarded: () => void) {
  const { t } = useTranslation()
  const http = useHttp()
  const desk = useUploadDesk()
  const registry = useUploadRegistry()
  const queryClient = useQueryClient()
  const errorMessage = useErrorMessage()
  return useMutation({
    mutationFn: async () => {
      // A file that is still being sent would create its upload again.
      if (desk.job?.session.shareId === shareId) desk.job.session.pauseAll()
      await discardEdit(http, shareId)
      await registry.remove(shareId)
    },
    onSuccess: async () => {
      if (desk.job?.session.shareId === shareId) {
        desk.job.close()
        desk.put(null)
      }
      notifySuccess(t('edit.discard.done'))
      await queryClient.invalidateQueries({ queryKey: ['shares'] })
      onDiscarded()
    },
    onError: (error) => notifyError(errorMessage(error)),
  })
}
