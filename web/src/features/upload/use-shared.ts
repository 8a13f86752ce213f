import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { notifyError } from '../../shared/notify.ts'
import { type FileEntry, toEntry } from '../../shared/upload/file-entry.ts'
import { takeShared } from './share-target/shared-store.ts'

/** Takes what another app shared with the installed site, once it has led here. */
export function useShared({
  onFiles,
  onText,
}: {
  onFiles: (entries: FileEntry[]) => void
  onText: (text: string) => void
}): void {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const isAnnounced = params.has('shared')

  const take = useEffectEvent(async () => {
    const shared = await takeShared().catch(() => null)
    setParams({}, { replace: true })
    if (shared && shared.files.length > 0) onFiles(shared.files.map(toEntry))
    else if (shared && shared.text !== '') onText(shared.text)
    else notifyError(t('upload.failure.unreadable'))
  })
  useEffect(() => {
    if (isAnnounced) void take()
  }, [isAnnounced])
}
