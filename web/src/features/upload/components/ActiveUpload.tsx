import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { ConfirmDialog } from '../../../shared/components/ConfirmDialog.tsx'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { paths } from '../../../shared/paths.ts'
import type { UploadJob } from '../../../shared/upload/upload-job.ts'
import { UploadProgress } from '../../../shared/upload/UploadProgress.tsx'
import { useJobStage } from '../../../shared/upload/use-upload-job.ts'
import type { UploadActions } from '../use-upload-actions.ts'
import { CompletedDialog } from './CompletedDialog.tsx'
import { EarlyLink } from './EarlyLink.tsx'
import { TooLarge } from './TooLarge.tsx'

interface ActiveUploadProps {
  job: UploadJob
  actions: UploadActions
  /** Bytes a share may hold; 0 is no limit. */
  maxBytes: number
}

/** An upload under way, from its first byte to the link of the finished share. */
export function ActiveUpload({ job, actions, maxBytes }: ActiveUploadProps) {
  const { t } = useTranslation()
  const stage = useJobStage(job)
  const errorMessage = useErrorMessage()
  const [isCancelling, setIsCancelling] = useState(false)
  const { shareId } = job.session
  const { abandon } = actions
  const isOpened = stage.name === 'uploading' && stage.opened !== null
  const words = useEndingWords({ isOpened, hasArrived: job.session.getSnapshot().doneCount > 0 })
  const isEmpty = stage.name === 'empty'

  useEffect(() => {
    if (isEmpty) void abandon(shareId)
  }, [isEmpty, abandon, shareId])

  return (
    <Stack gap="lg">
      <Title order={1} size="h2">
        {t('upload.progress.heading')}
      </Title>
      {stage.name === 'finishFailed' && (
        <Alert color="red" role="alert" title={t('upload.finishFailed')}>
          <Group justify="space-between">
            <Text size="sm">{errorMessage(stage.error)}</Text>
            <Button size="xs" onClick={job.finish}>
              {t('common.tryAgain')}
            </Button>
          </Group>
        </Alert>
      )}
      <TooLarge job={job} maxBytes={maxBytes} />
      <EarlyLink job={job} />
      <UploadProgress
        job={job}
        actions={
          stage.name === 'draft' ? (
            <ToDraft job={job} />
          ) : (
            stage.name !== 'finished' && (
              <Button size="xs" variant="default" onClick={() => setIsCancelling(true)}>
                {words.action}
              </Button>
            )
          )
        }
      />
      {stage.name === 'finished' && (
        <CompletedDialog
          receipt={stage.receipt}
          encryption={job.encryption}
          onDone={actions.clear}
        />
      )}
      <ConfirmDialog
        opened={isCancelling && stage.name !== 'finished'}
        {...words}
        dismissal={t('upload.progress.keep')}
        onClose={() => setIsCancelling(false)}
        onConfirm={() => void abandon(shareId)}
      />
    </Stack>
  )
}

/** Leads to the page where what it asks for is filled in. */
function ToDraft({ job: { reverseShare } }: { job: UploadJob }) {
  const { t } = useTranslation()
  const to = reverseShare ? paths.reverseUpload(reverseShare.token) : paths.upload
  return (
    <Button size="xs" component={PageLink} to={to}>
      {reverseShare ? t('send.submit') : t('upload.share')}
    </Button>
  )
}

/** What ends with the upload: a share that people have the link of keeps what arrived, if anything. */
function useEndingWords({ isOpened, hasArrived }: { isOpened: boolean; hasArrived: boolean }) {
  const { t } = useTranslation()
  if (!isOpened) {
    return {
      title: t('upload.progress.cancelTitle'),
      text: t('upload.progress.cancelText'),
      action: t('upload.progress.cancelAll'),
    }
  }
  return {
    title: t('upload.early.stopTitle'),
    text: t(hasArrived ? 'upload.early.stopText' : 'upload.early.stopEmptyText'),
    action: t('upload.early.stop'),
  }
}
