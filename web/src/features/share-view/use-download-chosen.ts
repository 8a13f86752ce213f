import type { ShareView } from '@floe/contracts'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../shared/api/error-message.ts'
import { useHttp } from '../../shared/api/http-context.ts'
import { notifyError } from '../../shared/notify.ts'
import { save } from '../../shared/save.ts'
import { useShareAddresses } from './share-addresses.ts'
import { useArchiveState } from './use-archive-state.ts'

/** Saves chosen files: one as it is, several as an archive. */
export function useDownloadChosen(share: ShareView, onSaved: () => void) {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const addresses = useShareAddresses()
  const archive = useArchiveState(share.id)
  return useMutation({
    mutationFn: async (fileIds: readonly string[]) => {
      const [only, another] = fileIds
      if (only !== undefined && another === undefined) return addresses.file(share.id, only)
      if (!archive?.isReady) return null
      return addresses.selection(http, share.id, fileIds)
    },
    onSuccess: (address) => {
      if (address === null) return notifyError(t('share.preparing'))
      if (addresses.isSaidByLinks) save(address)
      else window.location.assign(address)
      onSaved()
    },
    onError: (error) => notifyError(errorMessage(error)),
  })
}
