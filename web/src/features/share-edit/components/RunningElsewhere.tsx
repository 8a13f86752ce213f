import { Alert, Button, Group, Text } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { endUpload } from '../../../shared/api/give-up-upload.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { ConfirmDialog } from '../../../shared/components/ConfirmDialog.tsx'
import { notifyError } from '../../../shared/notify.ts'
import { useUploadDesk } from '../../../shared/upload/upload-desk.ts'
import { useUploadRegistry } from '../../../shared/upload/use-registry.ts'

/** The share was opened while its files are uploaded; where they are sent from may be gone. */
export function RunningElsewhere({ shareId }: { shareId: string }) {
  const { t } = useTranslation()
  const http = useHttp()
  const desk = useUploadDesk()
  const registry = useUploadRegistry()
  const queryClient = useQueryClient()
  const errorMessage = useErrorMessage()
  const [isEnding, setIsEnding] = useState(false)
  const end = useMutation({
    mutationFn: async () => {
      if (desk.job?.session.shareId === shareId) {
        desk.job.end()
        desk.put(null)
      }
      await endUpload(http, shareId)
      await registry.remove(shareId)
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['shares'] }),
    onError: (error) => notifyError(errorMessage(error)),
  })
  return (
    <Alert color="ice" role="status" title={t('upload.progress.heading')}>
      <Group justify="space-between">
        <Text size="sm">{t('edit.uploading')}</Text>
        <Button size="xs" variant="default" onClick={() => setIsEnding(true)}>
          {t('upload.early.stop')}
        </Button>
      </Group>
      <ConfirmDialog
        opened={isEnding}
        title={t('upload.early.stopTitle')}
        text={t('upload.early.stopText')}
        action={t('upload.early.stop')}
        isBusy={end.isPending}
        onClose={() => setIsEnding(false)}
        onConfirm={() => end.mutate()}
      />
    </Alert>
  )
}
