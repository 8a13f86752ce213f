import type { ShareView } from '@floe/contracts'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../shared/api/error-message.ts'
import { useHttp } from '../../shared/api/http-context.ts'
import { notifyError } from '../../shared/notify.ts'
import { apiPaths } from '../../shared/paths.ts'
import { save } from '../../shared/save.ts'
import { selectFiles } from './api/select-files.ts'
import { useArchiveState } from './use-archive-state.ts'

/** Saves chosen files: one as it is, several as an archive. */
export function useDownloadChosen(share: ShareView, onSaved: () => void) {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const archive = useArchiveState(share.id)
  return useMutation({
    mutationFn: async (fileIds: readonly string[]) => {
      const [only, another] = fileIds
      if (only !== undefined && another === undefined) return apiPaths.file(share.id, only)
      if (!archive?.isReady) return null
      return apiPaths.archive(share.id, { selection: await selectFiles(http, share.id, fileIds) })
    },
    onSuccess: (address) => {
      if (address === null) return notifyError(t('share.preparing'))
      save(address)
      onSaved()
    },
    onError: (error) => notifyError(errorMessage(error)),
  })
}
