import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { ConfirmDialog } from '../../../shared/components/ConfirmDialog.tsx'
import { notifySuccess } from '../../../shared/notify.ts'
import { paths } from '../../../shared/paths.ts'
import type { UploadJob } from '../../../shared/upload/upload-job.ts'
import { useDiscardEdit } from '../use-discard-edit.ts'
import { useUploadDesk } from '../../../shared/upload/upload-desk.ts'
import { UploadProgress } from '../../../shared/upload/UploadProgress.tsx'
import { useJobStage } from '../../../shared/upload/use-upload-job.ts'

/** The new files of an edited share on their way. */
export function SavingUpload({ job }: { job: UploadJob }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const errorMessage = useErrorMessage()
  const { put } = useUploadDesk()
  const stage = useJobStage(job)
  const discard = useDiscardEdit(job.session.shareId, () => void navigate(paths.myShares))
  const [isCancelling, setIsCancelling] = useState(false)

  const isEmpty = stage.name === 'empty'
  const isFinished = stage.name === 'finished'
  // With every new file taken out again the share still has to be closed.
  useEffect(() => {
    if (isEmpty) job.finish()
  }, [isEmpty, job])
  useEffect(() => {
    if (!isFinished) return
    job.close()
    put(null)
    notifySuccess(t('edit.saved'))
    void queryClient.invalidateQueries({ queryKey: ['shares'] })
    void navigate(paths.myShares)
  }, [isFinished, job, put, t, queryClient, navigate])

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
      <UploadProgress
        job={job}
        actions={
          !isFinished && (
            <Button size="xs" variant="default" onClick={() => setIsCancelling(true)}>
              {t('upload.progress.cancelAll')}
            </Button>
          )
        }
      />
      <ConfirmDialog
        opened={isCancelling && !isFinished}
        title={t('edit.discard.title')}
        text={t('edit.discard.text')}
        action={t('edit.discard.action')}
        isBusy={discard.isPending}
        onClose={() => setIsCancelling(false)}
        onConfirm={() => discard.mutate()}
      />
    </Stack>
  )
}
