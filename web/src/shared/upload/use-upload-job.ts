import { useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { requestNotice } from '../notify.ts'
import type { UploadJob } from './upload-job.ts'

const RETRY_NOTICE = 'upload-retry'

export function useJobStage(job: UploadJob) {
  return useSyncExternalStore(job.subscribe, job.getStage)
}

export function useUploadSnapshot({ session }: UploadJob) {
  return useSyncExternalStore(session.subscribe, session.getSnapshot)
}

/** Tells how many files are being tried again, for as long as they are. */
export function useRetryNotice(count: number): void {
  const { t } = useTranslation()
  useEffect(() => {
    if (count === 0) return
    const message = t('upload.retrying', { count })
    requestNotice({ show: { id: RETRY_NOTICE, message, color: 'red', isSticky: true } })
  }, [count, t])
  const isShown = count > 0
  useEffect(() => {
    if (!isShown) return
    return () => requestNotice({ hide: RETRY_NOTICE })
  }, [isShown])
}
