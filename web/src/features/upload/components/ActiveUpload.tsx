import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { ConfirmDialog } from '../../../shared/components/ConfirmDialog.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import type { UploadJob } from '../../../shared/upload/upload-job.ts'
import { UploadProgress } from '../../../shared/upload/UploadProgress.tsx'
import { useJobStage, useUploadSnapshot } from '../../../shared/upload/use-upload-job.ts'
import type { UploadActions } from '../use-upload-actions.ts'
import { CompletedDialog } from './CompletedDialog.tsx'

interface ActiveUploadProps {
  job: UploadJob
  actions: UploadActions
  /** Bytes a share may hold; 0 is no limit. */
  maxBytes: number
  /** The server refuses a file for its size: the limit may have changed. */
  onTooLarge?: () => void
}

/** An upload under way, from its first byte to the link of the finished share. */
export function ActiveUpload({ job, actions, maxBytes, onTooLarge }: ActiveUploadProps) {
  const { t } = useTranslation()
  const stage = useJobStage(job)
  const format = useFormat()
  const { rows } = useUploadSnapshot(job)
  const errorMessage = useErrorMessage()
  const [isCancelling, setIsCancelling] = useState(false)
  const { shareId } = job.session
  const { abandon } = actions
  const isEmpty = stage.name === 'empty'
  const isTooLarge = rows.some(({ failure }) => failure === 'tooLarge')

  useEffect(() => {
    if (isEmpty) void abandon(shareId)
  }, [isEmpty, abandon, shareId])
  useEffect(() => {
    if (isTooLarge) onTooLarge?.()
  }, [isTooLarge, onTooLarge])

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
      {isTooLarge && maxBytes > 0 && (
        <Alert color="red" role="alert">
          {t('upload.tooLarge', { maxSize: format.size(maxBytes) })}
        </Alert>
      )}
      <UploadProgress
        job={job}
        actions={
          stage.name !== 'finished' && (
            <Button size="xs" variant="default" onClick={() => setIsCancelling(true)}>
              {t('upload.progress.cancelAll')}
            </Button>
          )
        }
      />
      {stage.name === 'finished' && (
        <CompletedDialog receipt={stage.receipt} onDone={actions.clear} />
      )}
      <ConfirmDialog
        opened={isCancelling && stage.name !== 'finished'}
        title={t('upload.progress.cancelTitle')}
        text={t('upload.progress.cancelText')}
        action={t('upload.progress.cancelAll')}
        onClose={() => setIsCancelling(false)}
        onConfirm={() => void abandon(shareId)}
      />
    </Stack>
  )
}
