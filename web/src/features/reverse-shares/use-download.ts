import type { ReceivedShare } from '@floe/contracts'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../shared/api/error-message.ts'
import { fetchShare } from '../../shared/api/fetch-share.ts'
import type { HttpClient } from '../../shared/api/http-client.ts'
import { useHttp } from '../../shared/api/http-context.ts'
import { fetchArchiveState } from '../../shared/api/share-meta-data.ts'
import { notifyError } from '../../shared/notify.ts'
import { apiPaths } from '../../shared/paths.ts'
import { save } from '../../shared/save.ts'

/** The only file itself, else the archive of all files; `null` while that is being prepared. */
async function findAddress(http: HttpClient, share: ReceivedShare): Promise<string | null> {
  if (share.fileCount === 1) {
    const [file] = (await fetchShare(http, share.id)).files
    if (file) return apiPaths.file(share.id, file.id)
  }
  const { isReady } = await fetchArchiveState(http, share.id)
  return isReady ? apiPaths.archive(share.id) : null
}

/** Saves everything in a share that was received. */
export function useDownload() {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  return useMutation({
    mutationFn: (share: ReceivedShare) => findAddress(http, share),
    onSuccess: (address) => {
      if (address === null) notifyError(t('share.preparing'))
      else save(address)
    },
    onError: (error) => notifyError(errorMessage(error)),
  })
}
