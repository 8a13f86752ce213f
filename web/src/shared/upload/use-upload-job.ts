import { notifications } from '@mantine/notifications'
import { useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
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
    if (count === 0) {
      notifications.hide(RETRY_NOTICE)
      return
    }
    const notice = {
      id: RETRY_NOTICE,
      color: 'red',
      autoClose: false as const,
      message: t('upload.retrying', { count }),
    }
    // `show` leaves a notice of the same id alone, `update` ignores one that is not there.
    notifications.show(notice)
    notifications.update(notice)
  }, [count, t])
  useEffect(() => () => void notifications.hide(RETRY_NOTICE), [])
}
