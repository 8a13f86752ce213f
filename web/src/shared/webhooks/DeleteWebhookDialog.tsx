import type { Webhook } from '@floe/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../api/api-error.ts'
import { useErrorMessage } from '../api/error-message.ts'
import { useHttp } from '../api/http-context.ts'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { notifyError } from '../notify.ts'
import { queryKeys } from '../query-keys.ts'
import { nameOf } from './webhook-texts.ts'
import { deleteWebhook } from './webhooks.ts'

/** Asks before a webhook goes, since its secret and its log go with it. */
export function DeleteWebhookDialog({
  webhook,
  onClose,
}: {
  webhook: Webhook
  onClose: () => void
}) {
  const { t } = useTranslation()
  const http = useHttp()
  const queryClient = useQueryClient()
  const errorMessage = useErrorMessage()
  const remove = useMutation({
    mutationFn: () => deleteWebhook(http, webhook.id),
    onError: (error) => {
      // Deleted meanwhile: that is what was wanted.
      if (!hasCode(error, 'webhook_not_found')) notifyError(errorMessage(error))
    },
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: queryKeys.webhooks })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened
      title={t('myShares.deleteTitle', { name: nameOf(webhook) })}
      text={t('webhooks.deleteText')}
      action={t('common.delete')}
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
    />
  )
}
