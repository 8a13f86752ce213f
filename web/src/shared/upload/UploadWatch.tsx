import { VisuallyHidden } from '@mantine/core'
import { visibleName } from '@floe/contracts'
import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format/use-format.ts'
import { notifySuccess, requestNotice } from '../notify.ts'
import { useLeaveWarning } from '../leave/use-leave-warning.ts'
import type { UploadJob } from './upload-job.ts'
import { quarterOf, wholePercent } from './upload-percent.ts'
import { useJobStage, useUploadSnapshot } from './use-upload-job.ts'

const RETRY_NOTICE = 'upload-retry'
const OFFLINE_NOTICE = 'upload-offline'

export interface UploadWatchProps {
  job: UploadJob
  onTitle: (title: string | null) => void
}

/** Tells how an upload fares, whatever page is shown: in the tab's title, as notices and aloud. */
export function UploadWatch({ job, onTitle }: UploadWatchProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const snapshot = useUploadSnapshot(job)
  const stage = useJobStage(job)
  const isOnline = useOnline()
  // A draft that nobody shared is lost with its tab, too, for all that people know.
  const isDraft = stage.name === 'draft' && snapshot.fileCount > 0
  const isBusy = stage.name === 'uploading' || stage.name === 'opening' || isDraft
  const name = visibleName(job.name)
  const percent = wholePercent(snapshot)
  const say = (state: string) => `${state} · ${name}`
  const title = say(
    stage.name === 'finished' ? t('upload.state.done') : format.percent(percent / 100),
  )
  const quarter = quarterOf(percent)
  const failed = snapshot.rows.find(({ state }) => state === 'failed')

  useEffect(() => onTitle(title), [title, onTitle])
  useEffect(() => () => onTitle(null), [onTitle])
  useRetryNotice(isBusy && isOnline ? snapshot.retryingCount : 0)
  useOfflineNotice(isBusy && !isOnline)
  useLeaveWarning(isBusy || stage.name === 'finishing')

  return (
    // Every percent would drown out whatever else a screen reader has to say.
    <VisuallyHidden role="status">
      {stage.name === 'finished'
        ? title
        : failed
          ? `${visibleName(failed.label)}: ${t(`upload.failure.${failed.failure ?? 'unknown'}`)}`
          : quarter > 0 && say(format.percent(quarter / 100))}
    </VisuallyHidden>
  )
}

function subscribeToLine(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

function useOnline(): boolean {
  return useSyncExternalStore(subscribeToLine, () => navigator.onLine)
}

/** Tells how many files are being tried again, for as long as they are. */
function useRetryNotice(count: number): void {
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

/** Tells that the browser has no connection, and once it has one again. */
function useOfflineNotice(isOffline: boolean): void {
  const { t } = useTranslation()
  useEffect(() => {
    if (!isOffline) return
    const message = t('upload.offline')
    requestNotice({ show: { id: OFFLINE_NOTICE, message, color: 'red', isSticky: true } })
    return () => {
      requestNotice({ hide: OFFLINE_NOTICE })
      if (navigator.onLine) notifySuccess(t('upload.online'))
    }
  }, [isOffline, t])
}
