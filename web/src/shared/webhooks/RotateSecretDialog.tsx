import type { Webhook } from '@floe/contracts'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../api/error-message.ts'
import { useHttp } from '../api/http-context.ts'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { notifyError } from '../notify.ts'
import { rotateSecret } from './webhooks.ts'

interface RotateSecretDialogProps {
  webhook: Webhook
  onSecret: (secret: string) => void
  onClose: () => void
}

/** Asks before the receiver has to be told another secret. */
export function RotateSecretDialog({ webhook, onSecret, onClose }: RotateSecretDialogProps) {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const rotate = useMutation({
    mutationFn: () => rotateSecret(http, webhook.id),
    onSuccess: ({ secret }) => onSecret(secret),
    onError: (error) => {
      notifyError(errorMessage(error))
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened
      title={t('webhooks.rotateTitle')}
      text={t('webhooks.rotateText')}
      action={t('webhooks.rotate')}
      isBusy={rotate.isPending}
      onClose={onClose}
      onConfirm={() => rotate.mutate()}
    />
  )
}
